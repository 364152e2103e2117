/// Adjacent elements of a tree, with their hashes and possibly their models.
///
/// Only leaves in live states of a source of models have models.
///
/// The leaf knows the type of its elements through their kernel.
///
/// Most edits do not handle models: a leaf that they make has none. ``ModelFiller`` replaces it
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
  private var storage: ElementMemory

  /// Creates a leaf of copies of elements from one or two places, in order.
  ///
  /// - Parameters:
  ///   - capacity: The number of elements to have room for, if it is larger.
  ///   - models: The places of their models, one for each element.
  @inline(never) init(
    label: LeafLabel, kernel: ElementKernel, capacity: Int = 0, models: ModelPieces? = nil,
    _ first: ElementSpan, _ second: ElementSpan = .empty
  ) {
    storage = .make(
      kernel, label: label, beside: models?.kernel,
      capacity: max(capacity, first.count + second.count))
    withHeader { header in
      header.pointee.append(first)
      if second.count > 0 { header.pointee.append(second) }
      if let models, let kept = header.pointee.models {
        models.copy(
          to: UnsafeMutableRawPointer(mutating: kept.first), count: header.pointee.count)
      }
      header.pointee.countTotals()
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
    storage = .make(kernel, label: label, beside: models?.kernel, capacity: items.count)
    withHeader { header in
      kernel.gather(items, to: header.pointee.elements)
      hashes.withUnsafeBufferPointer { hashes in
        if let first = hashes.baseAddress {
          header.pointee.hashes.initialize(from: first, count: hashes.count)
        }
      }
      if let models, let kept = header.pointee.models {
        precondition(models.places.count == items.count, "not a model for each element")
        models.kernel.gather(models.places, to: UnsafeMutableRawPointer(mutating: kept.first))
      }
      header.pointee.count = items.count
      header.pointee.countTotals()
    }
  }

  package static func === (left: Leaf, right: Leaf) -> Bool { left.storage === right.storage }

  /// The identity of the leaf while it is held.
  package var identity: ObjectIdentifier { ObjectIdentifier(storage) }

  /// The leaf without counting a reference to it, valid while it is held elsewhere.
  var unretained: Unretained { Unretained(storage: .passUnretained(storage)) }

  struct Unretained {
    fileprivate let storage: Unmanaged<ElementMemory>

    var leaf: Leaf { Leaf(storage: storage.takeUnretainedValue()) }
  }

  private init(storage: ElementMemory) { self.storage = storage }

  /// Calls a function with the address of the header.
  @inline(__always)
  private func withHeader<Result>(_ body: (UnsafeMutablePointer<ElementMemory.Header>) -> Result)
    -> Result
  {
    storage.withUnsafeMutablePointerToHeader(body)
  }

  package var label: LeafLabel { withHeader { $0.pointee.label } }
  package var count: Int { withHeader { $0.pointee.count } }
  package var kernel: ElementKernel { withHeader { $0.pointee.kernel } }
  var totals: Totals { withHeader { $0.pointee.totals } }
  /// The number of elements that there is room for.
  private var room: Int { withHeader { $0.pointee.capacity } }
  /// The models, if the leaf has any.
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
    return withHeader { $0.pointee.span }
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
      || count + number > room
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
      let element = header.pointee.elements + index &* header.pointee.kernel.stride
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

  /// Inserts elements in place, with their models if the leaf has models.
  mutating func insert(_ span: ElementSpan, _ models: ModelSpan?, at offset: Int) {
    precondition(offset >= 0 && offset <= count && count + span.count <= room, "no room in a leaf")
    precondition((models == nil) == (self.models == nil), "models beside some of the elements")
    withHeader { header in
      let (kernel, rest) = (header.pointee.kernel, header.pointee.count - offset)
      let place = header.pointee.elements + offset &* kernel.stride
      kernel.move(place, to: place + span.count &* kernel.stride, count: rest)
      kernel.copy(span.first, to: place, count: span.count)
      let hashes = header.pointee.hashes + offset
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
      let place = header.pointee.elements + offset &* kernel.stride
      kernel.destroy(place, count: 1)
      kernel.move(place + kernel.stride, to: place, count: rest)
      let hashes = header.pointee.hashes + offset
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

/// A number that orders the leaves of a tree.
///
/// Labels ascend over the leaves and have gaps, so that a new leaf between two others gets a label
/// while the others keep theirs. So an index from elements to labels of leaves survives edits
/// elsewhere. It leads to a position by one descent from the root, without parent pointers, which
/// nodes that several versions share cannot have.
package struct LeafLabel: Hashable, Comparable, Sendable {
  /// A number of 56 bits: the tables that file labels use the other bits.
  package let rawValue: UInt64

  /// The number as two halves, which compare as the number does: an `Int` may have 32 bits.
  package var halves: ItemPath {
    ItemPath(
      section: Int(truncatingIfNeeded: rawValue &>> 28),
      item: Int(truncatingIfNeeded: rawValue & 0xFFF_FFFF))
  }

  /// The distance between the labels of leaves that are built together.
  static let stride: UInt64 = 1 << 32

  /// The label of the first leaf of a tree: the middle, with room on both sides.
  static let middle = LeafLabel(rawValue: 1 << 55)

  /// The greatest number that fits a table entry.
  static let greatest = LeafLabel(rawValue: 1 << 56 - 1)

  /// The label of items that a collapsed row of an outline hides, which are in no leaf.
  ///
  /// No leaf ever gets this label.
  package static let hidden = LeafLabel(rawValue: 0)

  package static func < (left: LeafLabel, right: LeafLabel) -> Bool {
    left.rawValue < right.rawValue
  }

  /// `count` ascending labels between two others, or `nil` if the gap has no room for them.
  ///
  /// A missing neighbour means the end of the tree: labels then continue from the other neighbour
  /// in full strides, as long as there are numbers.
  static func labels(
    _ count: Int, after lower: LeafLabel?, before upper: LeafLabel?
  ) -> [LeafLabel]? {
    let wanted = UInt64(count)
    let (first, step): (UInt64, UInt64)
    switch (lower?.rawValue, upper?.rawValue) {
    case (nil, nil):
      step = Swift.min(stride, greatest.rawValue / (wanted + 1))
      first = middle.rawValue - step * (wanted / 2)
    case (let lower?, nil):
      step = Swift.min(stride, (greatest.rawValue - lower) / (wanted + 1))
      first = lower + step
    case (nil, let upper?):
      step = Swift.min(stride, upper / (wanted + 1))
      first = upper - step * wanted
    case (let lower?, let upper?):
      step = (upper - lower) / (wanted + 1)
      first = lower + step
    }
    guard step > 0 else { return nil }
    return (0..<wanted).map { LeafLabel(rawValue: first + $0 * step) }
  }
}

extension Leaf {
  /// The offset of the first element, from a start on, that equals a given one with a given hash.
  ///
  /// - Complexity: O(l) for the l elements of the leaf. Those with the hash are compared.
  package func offset(of element: UnsafeRawPointer, hash: UInt32, from start: Int = 0) -> Int? {
    withExtendedLifetime(self) { span.offset(of: element, hash: hash, from: start, kernel) }
  }
}
