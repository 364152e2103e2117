/// Some neighbouring elements of a tree, and the hash of each.
///
/// The leaf knows the type of its elements by their kernel, and keeps them in memory of its own. First
/// in that come the elements, then their hashes.
///
/// It may be shared between threads as an array may: who writes to the memory holds the only reference,
/// those who share it only read, and it is given back when nobody has it any longer. The initialiser
/// writes before there is a reference, and ``OrderNode/replaceElement(at:with:hasTotals:)`` has asked
/// whether there is another. Elements are `Sendable`, or there is no kernel for them. An address in it is good for as long as somebody holds
/// the leaf and does not write to it.
final class Leaf: @unchecked Sendable {
  let label: LeafLabel
  let count: Int
  let kernel: ElementKernel
  private(set) var totals: Totals
  /// Where the first element is.
  private let memory: UnsafeMutableRawPointer
  /// Where the first hash is.
  private let hashMemory: UnsafeMutablePointer<UInt32>

  /// Creates a leaf of copies of elements that are in several places, one behind the other.
  init(label: LeafLabel, kernel: ElementKernel, _ spans: ElementSpan...) {
    self.label = label
    self.kernel = kernel
    let count = spans.reduce(0) { $0 + $1.count }
    self.count = count
    (memory, hashMemory) = kernel.allocate(count)
    var start = 0
    for span in spans where span.count > 0 {
      kernel.copy(span.first, to: memory + start &* kernel.stride, count: span.count)
      (hashMemory + start).initialize(from: span.hashes, count: span.count)
      start += span.count
    }
    totals = kernel.totals?(memory, count) ?? Totals()
  }

  deinit {
    kernel.destroy(memory, count: count)
    memory.deallocate()
  }

  /// Puts another element in the place of one that has the same identity; nobody else holds the leaf.
  func replaceElement(at index: Int, with element: UnsafeRawPointer) {
    precondition(index >= 0 && index < count, "no element \(index) in a leaf")
    let address = memory + index &* kernel.stride
    kernel.destroy(address, count: 1)
    kernel.copy(element, to: address, count: 1)
    if let count = kernel.totals { totals = count(memory, self.count) }
  }

  /// A copy with another element in the place of one that has the same identity.
  func replacingElement(at index: Int, with element: UnsafeRawPointer) -> Leaf {
    withExtendedLifetime(self) {
      Leaf(
        label: label, kernel: kernel, span.sub(0..<index),
        ElementSpan(
          first: element, hashes: hashMemory + index, count: 1, stride: kernel.stride),
        span.sub(index + 1..<count))
    }
  }

  /// The elements and their hashes, for as long as somebody holds the leaf.
  var span: ElementSpan {
    ElementSpan(
      first: UnsafeRawPointer(memory), hashes: hashMemory, count: count, stride: kernel.stride)
  }
}

/// Neighbouring elements in memory, and the hash of each.
///
/// Whoever has a span sees to it that what it lies in is held.
struct ElementSpan {
  let first: UnsafeRawPointer
  let hashes: UnsafePointer<UInt32>
  let count: Int
  let stride: Int

  /// No elements, which are nowhere.
  static var empty: ElementSpan {
    ElementSpan(
      first: UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped,
      hashes: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, count: 0, stride: 1)
  }

  /// Where an element is.
  @inline(__always) func address(_ index: Int) -> UnsafeRawPointer { first + index &* stride }

  /// The span of some of the elements.
  func sub(_ range: Range<Int>) -> ElementSpan {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no \(range) in \(count)")
    return ElementSpan(
      first: address(range.lowerBound), hashes: hashes + range.lowerBound, count: range.count,
      stride: stride)
  }

  /// All hashes.
  var hashBuffer: UnsafeBufferPointer<UInt32> { UnsafeBufferPointer(start: hashes, count: count) }
}

extension ElementKernel {
  /// Memory for some elements and, behind them, for their hashes.
  func allocate(
    _ capacity: Int
  ) -> (elements: UnsafeMutableRawPointer, hashes: UnsafeMutablePointer<UInt32>) {
    let hashOffset = (capacity &* stride &+ 3) & ~3
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: hashOffset + capacity &* 4, alignment: max(alignment, 8))
    let hashes = (memory + hashOffset).bindMemory(to: UInt32.self, capacity: capacity)
    return (memory, hashes)
  }
}
