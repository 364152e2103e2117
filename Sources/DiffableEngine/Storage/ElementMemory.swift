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
