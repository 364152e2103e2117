/// Memory for adjacent elements, their hashes and possibly their models, in this order, in one object.
///
/// It is the memory of a ``Leaf``, and of a buffer of elements that will be put into leaves. The
/// elements and their hashes that are there are initialised; so are their models, if it has any.
///
/// Functions access the header by its address. Access by a property of the class would be checked for
/// exclusivity each time.
final class ElementMemory: ManagedBuffer<ElementMemory.Header, UInt64> {
  struct Header {
    /// The label, if it is the memory of a leaf.
    let label: LeafLabel
    var count = 0
    let kernel: ElementKernel
    /// The number of elements that there is room for.
    let capacity: Int
    var totals = Totals()
    let models: ModelSpan?
    /// The address of the first element.
    let elements: UnsafeMutableRawPointer
    /// The address of the first hash.
    let hashes: UnsafeMutablePointer<UInt32>

    mutating func countTotals() {
      if let count = kernel.totals { totals = count(elements, self.count) }
    }

    /// Adds copies of elements, for which there is room; the caller adds their models, if there are any.
    mutating func append(_ span: ElementSpan) {
      kernel.copy(span.first, to: elements + count &* kernel.stride, count: span.count)
      (hashes + count).initialize(from: span.hashes, count: span.count)
      count += span.count
    }

    /// Moves the elements of another memory to the end, without models, or adds copies of them.
    mutating func append(_ other: UnsafeMutablePointer<Header>, moving: Bool) {
      guard moving else { return append(other.pointee.span) }
      kernel.move(
        other.pointee.elements, to: elements + count &* kernel.stride, count: other.pointee.count)
      (hashes + count).initialize(from: other.pointee.hashes, count: other.pointee.count)
      count += other.pointee.count
      other.pointee.count = 0
    }

    /// The elements and their hashes, valid while the memory is held.
    var span: ElementSpan {
      ElementSpan(
        first: UnsafeRawPointer(elements), hashes: hashes, count: count, stride: kernel.stride)
    }
  }

  /// Creates memory without elements.
  ///
  /// The memory is the end of an object, which is aligned for two words. Types that need more
  /// alignment get room to begin later.
  @inline(never) static func make(
    _ kernel: ElementKernel, label: LeafLabel = .hidden, beside models: ElementKernel? = nil,
    capacity: Int
  ) -> ElementMemory {
    let hashOffset = (capacity &* kernel.stride &+ 3) & ~3
    var end = hashOffset + capacity &* 4
    let modelAlignment = models?.alignment ?? 1
    let modelOffset = (end + modelAlignment - 1) & ~(modelAlignment - 1)
    if let models { end = modelOffset + capacity &* models.stride }
    let alignment = max(kernel.alignment, modelAlignment)
    let surplus = alignment > MemoryLayout<UInt64>.alignment ? alignment : 0
    let memory = create(minimumCapacity: (end + surplus + 7) / 8) { memory in
      let words = memory.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
      let start = words.alignedUp(toMultipleOf: alignment)
      return Header(
        label: label, kernel: kernel, capacity: capacity,
        models: models.map { ModelSpan(kernel: $0, first: start + modelOffset) }, elements: start,
        hashes: (start + hashOffset).bindMemory(to: UInt32.self, capacity: capacity))
    }
    // It was created as an instance of this class.
    return unsafeDowncast(memory, to: ElementMemory.self)
  }

  deinit {
    withUnsafeMutablePointerToHeader { header in
      let count = header.pointee.count
      header.pointee.kernel.destroy(header.pointee.elements, count: count)
      if let models = header.pointee.models {
        models.kernel.destroy(UnsafeMutableRawPointer(mutating: models.first), count: count)
      }
    }
  }
}

/// Adjacent elements in memory, and their hashes.
///
/// Code that has a span must hold the memory that it refers to.
package struct ElementSpan {
  package let first: UnsafeRawPointer
  package let hashes: UnsafePointer<UInt32>
  package let count: Int
  let stride: Int

  /// An empty span, without an address.
  static var empty: ElementSpan {
    ElementSpan(
      first: UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped,
      hashes: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, count: 0, stride: 1)
  }

  /// The address of an element.
  @inline(__always) package func address(_ index: Int) -> UnsafeRawPointer {
    first + index &* stride
  }

  /// The offset of the first element, from a start on, that equals a given one with a given hash.
  ///
  /// - Complexity: O(n) for n elements. Those with the hash are compared.
  @inline(__always) func offset(
    of element: UnsafeRawPointer, hash: UInt32, from start: Int = 0, _ kernel: ElementKernel
  ) -> Int? {
    var offset = start
    while offset < count {
      if hashes[offset] == hash, kernel.areEqual(address(offset), element) { return offset }
      offset &+= 1
    }
    return nil
  }

  /// The span of some of the elements.
  func sub(_ range: Range<Int>) -> ElementSpan {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no \(range) in \(count)")
    return ElementSpan(
      first: address(range.lowerBound), hashes: hashes + range.lowerBound, count: range.count,
      stride: stride)
  }

  /// All hashes.
  package var hashBuffer: UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(start: hashes, count: count)
  }
}

/// A buffer of elements and their hashes, to be put into leaves.
///
/// Copies share their memory until one of them is added to. So they may be shared between threads
/// as arrays may: code that adds elements holds the only reference to the memory. Elements are
/// `Sendable`; otherwise they have no kernel.
package struct HashedElements: @unchecked Sendable {
  package let kernel: ElementKernel
  /// `nil` until there is an element.
  private var memory: ElementMemory?

  /// Creates an empty buffer, with room for some elements.
  package init(_ kernel: ElementKernel, capacity: Int = 0) {
    self.kernel = kernel
    memory = capacity > 0 ? .make(kernel, capacity: capacity) : nil
  }

  /// Copies elements that the caller holds, with their hashes.
  init(_ kernel: ElementKernel, copying span: ElementSpan) {
    self.init(kernel)
    append(span)
  }

  /// Copies some elements, and hashes each once.
  ///
  /// - Complexity: O(n) for n elements.
  package init<Element>(hashing elements: some Collection<Element>, _ kernel: ElementKernel) {
    self.init(kernel, capacity: elements.count)
    precondition(kernel.type == Element.self, "a kernel of other elements")
    let target = self
    func fill(_ elements: UnsafeBufferPointer<Element>) {
      guard let first = elements.baseAddress else { return }
      target.fill(elements.count) { kernel.copy(first, to: $0, count: elements.count) }
    }
    if elements.withContiguousStorageIfAvailable(fill) == nil {
      ContiguousArray(elements).withUnsafeBufferPointer(fill)
    }
  }

  /// Lets a function make elements, by number and address, and hashes each once.
  package init(
    _ kernel: ElementKernel, count: Int, _ make: (Int, UnsafeMutableRawPointer) -> Void
  ) {
    self.init(kernel, count: count) { elements in
      for number in 0..<count { make(number, elements + number &* kernel.stride) }
    }
  }

  /// Lets a function fill memory with elements, and hashes each once.
  package init(
    _ kernel: ElementKernel, count: Int, filledBy fill: (UnsafeMutableRawPointer) -> Void
  ) {
    self.init(kernel, capacity: count)
    self.fill(count, fill)
  }

  /// Copies elements from several places, and hashes each once.
  package init(_ kernel: ElementKernel, gathering places: [UnsafeRawPointer]) {
    self.init(kernel, count: places.count) { kernel.gather(places, to: $0) }
  }

  /// Lets a function write elements to a new buffer that has room for them, and hashes each once.
  private func fill(_ count: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
    withHeader { header in
      write(header.pointee.elements)
      header.pointee.count = count
      kernel.writeHashes(header.pointee.elements, count, header.pointee.hashes)
    }
  }

  /// Calls a function with the address of the header, if there is memory.
  @discardableResult
  @inline(__always) private func withHeader<Result>(
    _ body: (UnsafeMutablePointer<ElementMemory.Header>) -> Result
  ) -> Result? {
    memory?.withUnsafeMutablePointerToHeader(body)
  }

  package var count: Int { withHeader { $0.pointee.count } ?? 0 }

  package var isEmpty: Bool { memory == nil || count == 0 }

  /// The elements and their hashes, valid while the buffer is held.
  package var span: ElementSpan { withHeader { $0.pointee.span } ?? .empty }

  mutating func append(_ leaf: Leaf, _ range: Range<Int>) {
    withExtendedLifetime(leaf) { append(leaf.span.sub(range)) }
  }

  mutating func append(_ leaf: Leaf) { append(leaf, 0..<leaf.count) }

  package mutating func append(_ other: HashedElements) {
    withExtendedLifetime(other) { append(other.span) }
  }

  /// Adds the elements of a tree at some positions, given as ascending ranges.
  mutating func append(_ tree: OrderTree, at ranges: [Range<Int>]) {
    for range in ranges {
      tree.forEachLeaf(in: range) { leaf, base in
        let positions = range.clamped(to: base..<base + leaf.count)
        append(leaf, positions.lowerBound - base..<positions.upperBound - base)
      }
    }
  }

  package mutating func append(_ element: UnsafeRawPointer, hash: UInt32) {
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
    withHeader {
      change($0.pointee.elements + ($0.pointee.count - 1) &* kernel.stride)
    }
  }

  /// Replaces an element with one that the caller holds.
  ///
  /// - Complexity: O(1), or O(n) for n elements if the memory has several holders.
  mutating func replace(at index: Int, with element: UnsafeRawPointer, hash: UInt32) {
    precondition(index >= 0 && index < count, "no element \(index)")
    if !isKnownUniquelyReferenced(&memory) { self = HashedElements(kernel, copying: span) }
    withHeader { header in
      let place = header.pointee.elements + index &* kernel.stride
      kernel.destroy(place, count: 1)
      kernel.copy(element, to: place, count: 1)
      header.pointee.hashes[index] = hash
    }
  }

  /// Adds elements that the caller holds.
  @inline(never) mutating func append(_ span: ElementSpan) {
    guard span.count > 0 else { return }
    let (count, room) = withHeader { ($0.pointee.count, $0.pointee.capacity) } ?? (0, 0)
    let total = count + span.count
    let isUnique = isKnownUniquelyReferenced(&memory)
    if !isUnique || room < total {
      let larger = ElementMemory.make(
        kernel, capacity: max(total, isUnique ? room * 2 : room))
      larger.withUnsafeMutablePointerToHeader { larger in
        withHeader { larger.pointee.append($0, moving: isUnique) }
      }
      memory = larger
    }
    withHeader { $0.pointee.append(span) }
  }

  /// Calls a function with each element, copied on demand, and its hash.
  package func forEach<Element>(
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

  /// A leaf of some of the elements.
  func leaf(_ label: LeafLabel, of range: Range<Int>, models: ModelPieces? = nil) -> Leaf {
    withExtendedLifetime(self) {
      Leaf(label: label, kernel: kernel, models: models, span.sub(range))
    }
  }

  /// A leaf of all elements.
  func leaf(_ label: LeafLabel) -> Leaf { leaf(label, of: 0..<count) }
}
