/// A buffer of elements and their hashes, to be put into leaves.
///
/// Copies share their memory until one of them is added to.
struct HashedElements: Sendable {
  let kernel: ElementKernel
  /// `nil` until there is an element.
  private var memory: Memory?

  /// The memory of the elements: like that of a ``Leaf``, but it grows.
  ///
  /// It may be shared between threads for the same reason: code that adds to it holds the only
  /// reference.
  private final class Memory: @unchecked Sendable {
    let kernel: ElementKernel
    var capacity: Int
    var count = 0
    var elements: UnsafeMutableRawPointer
    var hashes: UnsafeMutablePointer<UInt32>

    init(kernel: ElementKernel, capacity: Int) {
      self.kernel = kernel
      self.capacity = capacity
      (elements, hashes, _) = kernel.allocate(capacity)
    }

    deinit {
      kernel.destroy(elements, count: count)
      elements.deallocate()
    }

    func grow(to capacity: Int) {
      let (elements, hashes, _) = kernel.allocate(capacity)
      kernel.move(self.elements, to: elements, count: count)
      hashes.initialize(from: self.hashes, count: count)
      self.elements.deallocate()
      (self.elements, self.hashes, self.capacity) = (elements, hashes, capacity)
    }

    func append(_ span: ElementSpan) {
      kernel.copy(span.first, to: elements + count &* kernel.stride, count: span.count)
      (hashes + count).initialize(from: span.hashes, count: span.count)
      count += span.count
    }
  }

  /// Creates an empty buffer, with room for some elements.
  init(_ kernel: ElementKernel, capacity: Int = 0) {
    self.kernel = kernel
    memory = capacity > 0 ? Memory(kernel: kernel, capacity: capacity) : nil
  }

  /// Copies some elements, and hashes each once.
  ///
  /// - Complexity: O(n) for n elements.
  init<Element>(hashing elements: some Collection<Element>, _ kernel: ElementKernel) {
    self.init(kernel, capacity: elements.count)
    precondition(kernel.type == Element.self, "a kernel of other elements")
    let target = self
    func fill(_ elements: UnsafeBufferPointer<Element>) {
      if let first = elements.baseAddress { target.fill(first, count: elements.count) }
    }
    if elements.withContiguousStorageIfAvailable(fill) == nil {
      ContiguousArray(elements).withUnsafeBufferPointer(fill)
    }
  }

  /// Lets a function make elements, by number and address, and hashes each once.
  init(
    _ kernel: ElementKernel, count: Int, _ make: (Int, UnsafeMutableRawPointer) -> Void
  ) {
    self.init(kernel, capacity: count)
    guard let memory else { return }
    for number in 0..<count { make(number, memory.elements + number &* kernel.stride) }
    memory.count = count
    kernel.writeHashes(memory.elements, count, memory.hashes)
  }

  /// Copies elements from several places, and hashes each once.
  init(_ kernel: ElementKernel, gathering places: [UnsafeRawPointer]) {
    self.init(kernel, capacity: places.count)
    guard let memory else { return }
    kernel.gather(places, to: memory.elements)
    memory.count = places.count
    kernel.writeHashes(memory.elements, places.count, memory.hashes)
  }

  /// Copies elements to a new buffer that has room for them, and hashes each once.
  func fill(_ first: UnsafeRawPointer, count: Int) {
    guard let memory, count > 0 else { return }
    kernel.copy(first, to: memory.elements, count: count)
    memory.count = count
    kernel.writeHashes(memory.elements, count, memory.hashes)
  }

  var count: Int { memory?.count ?? 0 }

  var isEmpty: Bool { count == 0 }

  /// The elements and their hashes, valid while the buffer is held.
  var span: ElementSpan {
    guard let memory else { return ElementSpan.empty }
    return ElementSpan(
      first: UnsafeRawPointer(memory.elements), hashes: memory.hashes, count: memory.count,
      stride: kernel.stride)
  }

  mutating func append(_ leaf: Leaf, _ range: Range<Int>) {
    withExtendedLifetime(leaf) { append(leaf.span.sub(range)) }
  }

  mutating func append(_ leaf: Leaf) { append(leaf, 0..<leaf.count) }

  mutating func append(_ other: HashedElements) {
    withExtendedLifetime(other) { append(other.span) }
  }

  mutating func append(_ element: UnsafeRawPointer, hash: UInt32) {
    withUnsafePointer(to: hash) {
      append(ElementSpan(first: element, hashes: $0, count: 1, stride: kernel.stride))
    }
  }

  /// Adds a copy of an element, which a function may change, except for its identity.
  mutating func append(
    _ element: UnsafeRawPointer, hash: UInt32, _ change: (UnsafeMutableRawPointer) -> Void
  ) {
    append(element, hash: hash)
    // It has just been added, so the memory has a single holder.
    guard let memory else { return }
    change(memory.elements + (memory.count - 1) &* kernel.stride)
  }

  /// Adds elements that the caller holds.
  mutating func append(_ span: ElementSpan) {
    guard span.count > 0 else { return }
    let total = count + span.count
    if memory == nil || !isKnownUniquelyReferenced(&memory) {
      let copy = Memory(kernel: kernel, capacity: max(total, memory?.capacity ?? 0))
      if count > 0 { copy.append(self.span) }
      memory = copy
    } else if let memory, memory.capacity < total {
      memory.grow(to: max(total, memory.capacity * 2))
    }
    memory?.append(span)
  }

  /// Calls a function with each element, copied on demand, and its hash.
  func forEach<Element>(
    as type: Element.Type, _ body: (_ element: () -> Element, _ hash: UInt32) -> Void
  ) {
    precondition(kernel.type == type, "a kernel of other elements")
    withExtendedLifetime(self) {
      let span = span
      for index in 0..<span.count {
        body(
          { span.address(index).assumingMemoryBound(to: type).pointee }, span.hashes[index])
      }
    }
  }

  /// Where to cut into pieces for leaves: one if it fits, otherwise even pieces with spare room.
  ///
  /// - Parameter keepingFull: Whether to make all pieces but the last as full as in a tree built at
  ///   once. So a list that grows at its end has no half-empty leaves.
  func chunks(_ shape: TreeShape, keepingFull: Bool = false) -> [Range<Int>] {
    count == 0 ? [] : shape.chunks(of: count, keepingFull: keepingFull)
  }

  /// A leaf of some of the elements.
  func leaf(_ label: LeafLabel, of range: Range<Int>, models: ModelPieces? = nil) -> Leaf {
    withExtendedLifetime(self) {
      Leaf(label: label, kernel: kernel, models: models, span.sub(range))
    }
  }

  /// A leaf of all elements.
  func leaf(_ label: LeafLabel) -> Leaf { leaf(label, of: 0..<count) }
}
