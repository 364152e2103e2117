/// Adjacent elements of a tree, with their hashes and possibly their models.
///
/// Only leaves in live states of a source of models have models.
///
/// The leaf knows the type of its elements through their kernel, and stores them in memory of its
/// own: first the elements, then their hashes, then the models.
///
/// Edits do not handle models: a leaf that an edit makes is *bare*. ``ModelFiller`` replaces it
/// with a leaf with models before the state is published.
///
/// It may be shared between threads as an array may: code that writes to the memory holds the only
/// reference, code that shares it only reads, and it is freed when the last reference is gone. The
/// initialiser writes before there is a reference, and code that edits a node in place,
/// ``OrderNode``, has checked that there is no other one. Elements and models are `Sendable`;
/// otherwise they have no kernel. An address in the memory is valid while the leaf is held and not
/// written to.
final class Leaf: @unchecked Sendable {
  let label: LeafLabel
  private(set) var count: Int
  let kernel: ElementKernel
  /// The number of elements that the memory has room for.
  private let capacity: Int
  private(set) var totals: Totals
  /// The models, unless the leaf is bare.
  let models: ModelSpan?
  /// The address of the first element.
  private let memory: UnsafeMutableRawPointer
  /// The address of the first hash.
  private let hashMemory: UnsafeMutablePointer<UInt32>

  /// Creates a leaf of copies of elements from several places, in order.
  ///
  /// - Parameters:
  ///   - capacity: The number of elements to have room for, if it is larger.
  ///   - models: The places of their models, one for each element.
  init(
    label: LeafLabel, kernel: ElementKernel, capacity: Int = 0, models: ModelPieces? = nil,
    _ spans: ElementSpan...
  ) {
    self.label = label
    self.kernel = kernel
    let count = spans.reduce(0) { $0 + $1.count }
    self.count = count
    self.capacity = max(capacity, count)
    let modelMemory: UnsafeMutableRawPointer?
    (memory, hashMemory, modelMemory) = kernel.allocate(self.capacity, beside: models?.kernel)
    var start = 0
    for span in spans where span.count > 0 {
      kernel.copy(span.first, to: memory + start &* kernel.stride, count: span.count)
      (hashMemory + start).initialize(from: span.hashes, count: span.count)
      start += span.count
    }
    if let models, let modelMemory {
      models.copy(to: modelMemory, count: count)
      self.models = ModelSpan(kernel: models.kernel, first: UnsafeRawPointer(modelMemory))
    } else {
      self.models = nil
    }
    totals = kernel.totals?(memory, count) ?? Totals()
  }

  deinit {
    kernel.destroy(memory, count: count)
    if let models {
      models.kernel.destroy(UnsafeMutableRawPointer(mutating: models.first), count: count)
    }
    memory.deallocate()
  }

  /// A copy without models, with room for more elements.
  func copy(capacity: Int = 0) -> Leaf {
    withExtendedLifetime(self) { Leaf(label: label, kernel: kernel, capacity: capacity, span) }
  }

  /// A copy with models from given places.
  func beside(_ models: ModelPieces) -> Leaf {
    withExtendedLifetime(self) { Leaf(label: label, kernel: kernel, models: models, span) }
  }

  /// The elements and their hashes, valid while the leaf is held.
  var span: ElementSpan {
    ElementSpan(
      first: UnsafeRawPointer(memory), hashes: hashMemory, count: count, stride: kernel.stride)
  }
}

/// Edits in place; the caller must hold the only reference.
extension Leaf {
  /// Calls a function that may change an element, except for its identity.
  func mutateElement(at index: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    precondition(index >= 0 && index < count, "no element \(index) in a leaf")
    let element = memory + index &* kernel.stride
    guard let count = kernel.totals else { return body(element) }
    let old = count(element, 1)
    body(element)
    if !totals.exchange(old, for: count(element, 1)) { totals = count(memory, self.count) }
  }

  /// Whether elements can be inserted in place.
  func hasRoom(for number: Int) -> Bool { models == nil && count + number <= capacity }

  /// Inserts elements in place.
  func insert(_ span: ElementSpan, at offset: Int) {
    precondition(offset >= 0 && offset <= count && hasRoom(for: span.count), "no room in a leaf")
    let place = memory + offset &* kernel.stride
    kernel.move(place, to: place + span.count &* kernel.stride, count: count - offset)
    kernel.copy(span.first, to: place, count: span.count)
    (hashMemory + offset + span.count).moveInitialize(
      from: hashMemory + offset, count: count - offset)
    (hashMemory + offset).initialize(from: span.hashes, count: span.count)
    count += span.count
    if let count = kernel.totals { totals = count(memory, self.count) }
  }

  /// Removes an element in place.
  func remove(at offset: Int) {
    precondition(offset >= 0 && offset < count && models == nil, "no element \(offset) to remove")
    let place = memory + offset &* kernel.stride
    kernel.destroy(place, count: 1)
    kernel.move(place + kernel.stride, to: place, count: count - offset - 1)
    (hashMemory + offset).moveInitialize(
      from: hashMemory + offset + 1, count: count - offset - 1)
    count -= 1
    if let count = kernel.totals { totals = count(memory, self.count) }
  }
}

/// Adjacent elements in memory, and their hashes.
///
/// Code that has a span must hold the memory that it refers to.
struct ElementSpan {
  let first: UnsafeRawPointer
  let hashes: UnsafePointer<UInt32>
  let count: Int
  let stride: Int

  /// An empty span, without an address.
  static var empty: ElementSpan {
    ElementSpan(
      first: UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped,
      hashes: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, count: 0, stride: 1)
  }

  /// The address of an element.
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
  /// Allocates memory for some elements, then for their hashes, then for their models.
  func allocate(
    _ capacity: Int, beside models: ElementKernel? = nil
  ) -> (
    elements: UnsafeMutableRawPointer, hashes: UnsafeMutablePointer<UInt32>,
    models: UnsafeMutableRawPointer?
  ) {
    let hashOffset = (capacity &* stride &+ 3) & ~3
    var end = hashOffset + capacity &* 4
    var modelOffset = 0
    if let models {
      modelOffset = (end + models.alignment - 1) / models.alignment * models.alignment
      end = modelOffset + capacity &* models.stride
    }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: end, alignment: max(alignment, models?.alignment ?? 0, 8))
    let hashes = (memory + hashOffset).bindMemory(to: UInt32.self, capacity: capacity)
    return (memory, hashes, models == nil ? nil : memory + modelOffset)
  }
}
