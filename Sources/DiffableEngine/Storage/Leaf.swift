/// Adjacent elements of a tree, with their hashes and possibly their models.
///
/// Only leaves in live states of a source of models have models.
///
/// The leaf knows the type of its elements through their kernel, and stores them at its own end:
/// first the elements, then their hashes, then the models.
///
/// Most edits do not handle models: a leaf that they make is *bare*. ``ModelFiller`` replaces it
/// with a leaf with models before the state is published. An edit that knows the models of what it
/// inserts can keep those of the other elements.
///
/// It may be shared between threads as an array may: code that writes to the memory holds the only
/// reference, code that shares it only reads, and it is freed when the last reference is gone. The
/// initialiser writes before there is another reference. Edits in place, of elements, hashes and
/// models alike, come after ``makeUnique()`` or its variant with room. Elements and models are
/// `Sendable`; otherwise they have no kernel. An address in the memory is valid while the leaf is
/// held and not written to.
@usableFromInline package struct Leaf: @unchecked Sendable {
  private var storage: Storage

  fileprivate struct Header {
    let label: LeafLabel
    var count: Int
    let kernel: ElementKernel
    /// The number of elements that the memory has room for.
    let capacity: Int
    var totals = Totals()
    let models: ModelSpan?
    /// The address of the first element.
    let memory: UnsafeMutableRawPointer
    /// The address of the first hash.
    let hashMemory: UnsafeMutablePointer<UInt32>

    mutating func countTotals() {
      if let count = kernel.totals { totals = count(memory, self.count) }
    }
  }

  /// One object: the header, then the elements, their hashes and their models.
  fileprivate final class Storage: ManagedBuffer<Header, UInt64> {
    deinit {
      withUnsafeMutablePointerToHeader { header in
        let count = header.pointee.count
        header.pointee.kernel.destroy(header.pointee.memory, count: count)
        if let models = header.pointee.models {
          models.kernel.destroy(UnsafeMutableRawPointer(mutating: models.first), count: count)
        }
      }
    }
  }

  /// Creates a leaf of copies of elements from one or two places, in order.
  ///
  /// - Parameters:
  ///   - capacity: The number of elements to have room for, if it is larger.
  ///   - models: The places of their models, one for each element.
  init(
    label: LeafLabel, kernel: ElementKernel, capacity: Int = 0, models: ModelPieces? = nil,
    _ first: ElementSpan, _ second: ElementSpan = .empty
  ) {
    let count = first.count + second.count
    self.init(
      label: label, count: count,
      Columns(kernel, beside: models?.kernel, capacity: max(capacity, count))
    ) { memory, hashMemory, modelMemory in
      kernel.copy(first.first, to: memory, count: first.count)
      hashMemory.initialize(from: first.hashes, count: first.count)
      if second.count > 0 {
        kernel.copy(second.first, to: memory + first.count &* kernel.stride, count: second.count)
        (hashMemory + first.count).initialize(from: second.hashes, count: second.count)
      }
      if let models, let modelMemory { models.copy(to: modelMemory, count: count) }
    }
  }

  /// Creates a leaf of copies of elements and models from places anywhere, in order.
  ///
  /// - Parameters:
  ///   - items: The places of the elements.
  ///   - hashes: The hash of each.
  ///   - models: The places of their models, one for each element.
  init(
    label: LeafLabel, kernel: ElementKernel, gathering items: [UnsafeRawPointer],
    hashes: [UInt32], models: (kernel: ElementKernel, places: [UnsafeRawPointer])?
  ) {
    precondition(hashes.count == items.count, "\(hashes.count) hashes of \(items.count) elements")
    self.init(
      label: label, count: items.count,
      Columns(kernel, beside: models?.kernel, capacity: items.count)
    ) { memory, hashMemory, modelMemory in
      kernel.gather(items, to: memory)
      hashes.withUnsafeBufferPointer { hashes in
        if let first = hashes.baseAddress {
          hashMemory.initialize(from: first, count: hashes.count)
        }
      }
      if let models, let modelMemory {
        precondition(models.places.count == items.count, "not a model for each element")
        models.kernel.gather(models.places, to: modelMemory)
      }
    }
  }

  /// Creates a leaf whose memory a function fills: elements, hashes and models.
  private init(
    label: LeafLabel, count: Int, _ columns: Columns,
    filledBy fill: (
      UnsafeMutableRawPointer, UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer?
    ) -> Void
  ) {
    let storage = Storage.create(minimumCapacity: columns.wordCount) { storage in
      storage.withUnsafeMutablePointerToElements { words in
        let (memory, hashMemory, models) = columns.addresses(at: words)
        fill(memory, hashMemory, models.map { UnsafeMutableRawPointer(mutating: $0.first) })
        return Header(
          label: label, count: count, kernel: columns.kernel, capacity: columns.capacity,
          totals: columns.kernel.totals?(memory, count) ?? Totals(), models: models,
          memory: memory, hashMemory: hashMemory)
      }
    }
    // It was created as an instance of this class.
    self.storage = unsafeDowncast(storage, to: Storage.self)
  }

  static func === (left: Leaf, right: Leaf) -> Bool { left.storage === right.storage }

  /// The identity of the leaf while it is held.
  var identity: ObjectIdentifier { ObjectIdentifier(storage) }

  /// The leaf without counting a reference to it, valid while it is held elsewhere.
  var unretained: Unretained { Unretained(storage: .passUnretained(storage)) }

  struct Unretained {
    fileprivate let storage: Unmanaged<Storage>

    var leaf: Leaf { Leaf(storage: storage.takeUnretainedValue()) }
  }

  private init(storage: Storage) { self.storage = storage }

  /// Calls a function with the address of the header.
  ///
  /// Access by a property of the class would be checked for exclusivity each time.
  @inline(__always)
  private func withHeader<Result>(_ body: (UnsafeMutablePointer<Header>) -> Result) -> Result {
    storage.withUnsafeMutablePointerToHeader(body)
  }

  package var label: LeafLabel { withHeader { $0.pointee.label } }
  package var count: Int { withHeader { $0.pointee.count } }
  package var kernel: ElementKernel { withHeader { $0.pointee.kernel } }
  var totals: Totals { withHeader { $0.pointee.totals } }
  /// The models, unless the leaf is bare.
  package var models: ModelSpan? { withHeader { $0.pointee.models } }

  /// A copy with room for more elements; without models, unless they are to be kept.
  func copy(capacity: Int = 0, keepingModels: Bool = false) -> Leaf {
    withExtendedLifetime(self) {
      let models = keepingModels ? models.map { ModelPieces($0, from: 0, count: count) } : nil
      return Leaf(label: label, kernel: kernel, capacity: capacity, models: models, span)
    }
  }

  /// A copy with models from given places.
  package func beside(_ models: ModelPieces) -> Leaf {
    withExtendedLifetime(self) { Leaf(label: label, kernel: kernel, models: models, span) }
  }

  /// The elements and their hashes, valid while the leaf is held.
  package var span: ElementSpan {
    NodeVisits.note()
    return withHeader { header in
      ElementSpan(
        first: UnsafeRawPointer(header.pointee.memory), hashes: header.pointee.hashMemory,
        count: header.pointee.count,
        stride: header.pointee.kernel.stride)
    }
  }
}

/// Edits in place, of a leaf with a single holder.
extension Leaf {
  /// Copies the leaf, unless it has a single holder.
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { self = copy() }
  }

  /// Copies the leaf, unless it has a single holder and room.
  ///
  /// - Parameter keepsModels: Whether its models stay; otherwise it has none afterwards.
  mutating func makeUnique(
    withRoomFor number: Int, capacity: Int, keepingModels keepsModels: Bool
  ) {
    if !isKnownUniquelyReferenced(&storage) || models != nil && !keepsModels
      || !hasRoom(for: number)
    {
      self = copy(capacity: capacity, keepingModels: keepsModels)
    }
  }

  /// Calls a function that may change an element, except for its identity.
  ///
  /// - Returns: What that changes in the totals.
  mutating func mutateElement(
    at index: Int, _ body: (UnsafeMutableRawPointer) -> Void
  ) -> NodeChange {
    withHeader { header in
      precondition(index >= 0 && index < header.pointee.count, "no element \(index) in a leaf")
      let element = header.pointee.memory + index &* header.pointee.kernel.stride
      guard let count = header.pointee.kernel.totals else {
        body(element)
        return NodeChange()
      }
      let old = count(element, 1)
      body(element)
      let new = count(element, 1)
      if header.pointee.totals.exchange(old, for: new) {
        return NodeChange(totals: .exchanged(old, for: new))
      }
      header.pointee.countTotals()
      return NodeChange(totals: .unknown)
    }
  }

  private func hasRoom(for number: Int) -> Bool {
    withHeader { $0.pointee.count + number <= $0.pointee.capacity }
  }

  /// Inserts elements in place, with their models if the leaf has models.
  mutating func insert(_ span: ElementSpan, _ models: ModelSpan?, at offset: Int) {
    precondition(offset >= 0 && offset <= count && hasRoom(for: span.count), "no room in a leaf")
    precondition((models == nil) == (self.models == nil), "models beside some of the elements")
    withHeader { header in
      let (kernel, rest) = (header.pointee.kernel, header.pointee.count - offset)
      let place = header.pointee.memory + offset &* kernel.stride
      kernel.move(place, to: place + span.count &* kernel.stride, count: rest)
      kernel.copy(span.first, to: place, count: span.count)
      let hashes = header.pointee.hashMemory + offset
      (hashes + span.count).moveInitialize(from: hashes, count: rest)
      hashes.initialize(from: span.hashes, count: span.count)
      if let models, let kept = header.pointee.models {
        let place = UnsafeMutableRawPointer(mutating: kept.address(offset))
        kept.kernel.move(place, to: place + span.count &* kept.kernel.stride, count: rest)
        kept.kernel.copy(models.first, to: place, count: span.count)
      }
      header.pointee.count += span.count
      header.pointee.countTotals()
    }
  }

  /// Removes an element in place, with its model.
  mutating func remove(at offset: Int) {
    precondition(offset >= 0 && offset < count, "no element \(offset) to remove")
    withHeader { header in
      let (kernel, rest) = (header.pointee.kernel, header.pointee.count - offset - 1)
      let place = header.pointee.memory + offset &* kernel.stride
      kernel.destroy(place, count: 1)
      kernel.move(place + kernel.stride, to: place, count: rest)
      let hashes = header.pointee.hashMemory + offset
      hashes.moveInitialize(from: hashes + 1, count: rest)
      if let kept = header.pointee.models {
        let place = UnsafeMutableRawPointer(mutating: kept.address(offset))
        kept.kernel.destroy(place, count: 1)
        kept.kernel.move(place + kept.kernel.stride, to: place, count: rest)
      }
      header.pointee.count -= 1
      header.pointee.countTotals()
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
  package static var empty: ElementSpan {
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

/// Where elements, their hashes and their models lie in one piece of memory, in this order.
///
/// The memory is the end of an object, which is aligned for two words. Types that need more
/// alignment get room to begin later.
struct Columns {
  let kernel: ElementKernel
  let models: ElementKernel?
  /// The number of elements that there is room for.
  let capacity: Int
  private let hashOffset: Int
  private let modelOffset: Int
  private let alignment: Int
  /// The size of the memory.
  let wordCount: Int

  init(_ kernel: ElementKernel, beside models: ElementKernel? = nil, capacity: Int) {
    self.kernel = kernel
    self.models = models
    self.capacity = capacity
    hashOffset = (capacity &* kernel.stride &+ 3) & ~3
    var end = hashOffset + capacity &* 4
    if let models {
      modelOffset = (end + models.alignment - 1) & ~(models.alignment - 1)
      end = modelOffset + capacity &* models.stride
    } else {
      modelOffset = end
    }
    alignment = max(kernel.alignment, models?.alignment ?? 1)
    let surplus = alignment > MemoryLayout<UInt64>.alignment ? alignment : 0
    wordCount = (end + surplus + 7) / 8
  }

  /// The addresses of the first element, the first hash and the first model.
  func addresses(
    at words: UnsafeMutablePointer<UInt64>
  ) -> (UnsafeMutableRawPointer, UnsafeMutablePointer<UInt32>, ModelSpan?) {
    let start = UnsafeMutableRawPointer(words).alignedUp(toMultipleOf: alignment)
    let hashes = (start + hashOffset).bindMemory(to: UInt32.self, capacity: capacity)
    return (
      start, hashes,
      models.map { ModelSpan(kernel: $0, first: UnsafeRawPointer(start + modelOffset)) }
    )
  }
}
