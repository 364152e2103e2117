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

  /// Copies some elements, and hashes each once.
  ///
  /// - Complexity: O(n) for n elements.
  package init<Element>(hashing elements: some Collection<Element>, _ kernel: ElementKernel) {
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

  /// Copies elements to a new buffer that has room for them, and hashes each once.
  func fill(_ first: UnsafeRawPointer, count: Int) {
    fill(count) { kernel.copy(first, to: $0, count: count) }
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

  package var isEmpty: Bool { count == 0 }

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
