/// The loops that the engine needs over elements, compiled where their type is known.
///
/// The engine is compiled once, for elements of any type in memory. To copy and release elements it
/// needs only their type; to compare and hash them it needs user code. A kernel has the two loops
/// for that. A client compiles these, and nothing else of the engine.
///
/// A kernel made by generic code, where the type is not known, gives the same results, but is
/// slower.
///
/// Code that calls a kernel's function must pass addresses of elements of its type that are
/// initialised and held in memory during the call. ``Leaf``, ``HashedElements`` and `ValueSide`
/// ensure that.
@usableFromInline package final class ElementKernel: Sendable {
  /// Writes the stored hash of each of some adjacent elements.
  @usableFromInline package typealias WriteHashes =
    @Sendable (_ first: UnsafeRawPointer, _ count: Int, UnsafeMutablePointer<UInt32>) -> Void
  /// Returns the number of elements, from the first on, that are equal one by one in two places.
  @usableFromInline package typealias CountEqual =
    @Sendable (_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int

  /// The type of the elements.
  @usableFromInline package let type: any Any.Type
  /// The number of bytes of an element that matter: after the last element there may be no more.
  package let size: Int
  /// The distance between adjacent elements in memory, in bytes.
  package let stride: Int
  /// The alignment of an element, in bytes.
  package let alignment: Int
  /// Whether copying an element copies its bytes, and nothing else.
  let isTrivial: Bool
  let writeHashes: WriteHashes
  let countEqual: CountEqual
  /// The totals that a tree keeps for adjacent elements; `nil` if there are none.
  let totals: (@Sendable (_ first: UnsafeRawPointer, _ count: Int) -> Totals)?

  @usableFromInline package init<Element: Sendable>(
    _ type: Element.Type,
    totals: (@Sendable (_ first: UnsafeRawPointer, _ count: Int) -> Totals)? = nil,
    writeHashes: @escaping WriteHashes, countEqual: @escaping CountEqual
  ) {
    self.type = type
    size = MemoryLayout<Element>.size
    stride = MemoryLayout<Element>.stride
    alignment = MemoryLayout<Element>.alignment
    isTrivial = _isPOD(type)
    self.writeHashes = writeHashes
    self.countEqual = countEqual
    self.totals = totals
  }

  /// Creates the kernel of elements that are identified by their first stored property.
  package convenience init<Element: Sendable>(
    _ type: Element.Type, identifiedBy id: ElementKernel,
    totals: @escaping @Sendable (_ first: UnsafeRawPointer, _ count: Int) -> Totals
  ) {
    let (hash, compare, stride) = (id.writeHashes, id.countEqual, MemoryLayout<Element>.stride)
    self.init(type, totals: totals) { first, count, hashes in
      for index in 0..<count { hash(first + index &* stride, 1, hashes + index) }
    } countEqual: { left, right, count in
      var equal = 0
      while equal < count, compare(left + equal &* stride, right + equal &* stride, 1) == 1 {
        equal &+= 1
      }
      return equal
    }
  }

  /// Creates the kernel of elements that are identified by an identifier.
  @inlinable package convenience init<Element: Sendable, ID: Hashable & Sendable>(
    _ type: Element.Type, by id: @escaping @Sendable (Element) -> ID
  ) {
    self.init(type) { first, count, hashes in
      let elements = first.assumingMemoryBound(to: Element.self)
      for index in 0..<count { hashes[index] = id(elements[index]).storedHash }
    } countEqual: { left, right, count in
      let left = left.assumingMemoryBound(to: Element.self)
      let right = right.assumingMemoryBound(to: Element.self)
      var equal = 0
      while equal < count, id(left[equal]) == id(right[equal]) { equal &+= 1 }
      return equal
    }
  }

  /// Creates the kernel of identifiers.
  @inlinable package convenience init<ID: Hashable & Sendable>(_ type: ID.Type) {
    self.init(type) { first, count, hashes in
      let elements = first.assumingMemoryBound(to: ID.self)
      for index in 0..<count { hashes[index] = elements[index].storedHash }
    } countEqual: { left, right, count in
      let left = left.assumingMemoryBound(to: ID.self)
      let right = right.assumingMemoryBound(to: ID.self)
      var equal = 0
      while equal < count, left[equal] == right[equal] { equal &+= 1 }
      return equal
    }
  }

  /// Creates the kernel of models, which are compared as a whole and never looked up.
  @inlinable package convenience init<Model: Equatable & Sendable>(models type: Model.Type) {
    self.init(type) { _, count, hashes in
      for index in 0..<count { hashes[index] = 1 }
    } countEqual: { left, right, count in
      let left = left.assumingMemoryBound(to: Model.self)
      let right = right.assumingMemoryBound(to: Model.self)
      var equal = 0
      while equal < count, left[equal] == right[equal] { equal &+= 1 }
      return equal
    }
  }

  /// Whether the elements in two places are equal.
  @inline(__always) package func areEqual(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer
  ) -> Bool {
    countEqual(left, right, 1) == 1
  }

  /// Calls a function with the number of each element that differs from the one beside it.
  package func forEachDifference(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int, _ body: (Int) -> Void
  ) {
    var number = 0
    while number < count {
      let offset = number &* stride
      number += countEqual(left + offset, right + offset, count - number)
      guard number < count else { return }
      body(number)
      number += 1
    }
  }
}

/// Operations that need only the type of the elements.
extension ElementKernel {
  /// Copies adjacent elements to uninitialised memory.
  package func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    guard !isTrivial else {
      // The last element has no padding after it.
      return target.copyMemory(from: source, byteCount: max(0, count &* stride &- (stride &- size)))
    }
    func copy<Element>(_ type: Element.Type) {
      target.assumingMemoryBound(to: type)
        .initialize(from: source.assumingMemoryBound(to: type), count: count)
    }
    _openExistential(type, do: copy)
  }

  /// Copies elements from several places, one after another, to uninitialised memory.
  package func gather(_ sources: [UnsafeRawPointer], to target: UnsafeMutableRawPointer) {
    var target = target
    guard !isTrivial else {
      for source in sources {
        target.copyMemory(from: source, byteCount: size)
        target += stride
      }
      return
    }
    func gather<Element>(_ type: Element.Type) {
      var target = target.assumingMemoryBound(to: type)
      for source in sources {
        target.initialize(from: source.assumingMemoryBound(to: type), count: 1)
        target += 1
      }
    }
    _openExistential(type, do: gather)
  }

  /// Moves adjacent elements to uninitialised memory, which may overlap with their own.
  func move(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    guard !isTrivial else {
      return target.copyMemory(from: source, byteCount: max(0, count &* stride &- (stride &- size)))
    }
    func move<Element>(_ type: Element.Type) {
      target.assumingMemoryBound(to: type)
        .moveInitialize(from: source.assumingMemoryBound(to: type), count: count)
    }
    _openExistential(type, do: move)
  }

  /// Releases what adjacent elements hold; their memory is uninitialised afterwards.
  func destroy(_ elements: UnsafeMutableRawPointer, count: Int) {
    guard !isTrivial else { return }
    func destroy<Element>(_ type: Element.Type) {
      elements.assumingMemoryBound(to: type).deinitialize(count: count)
    }
    _openExistential(type, do: destroy)
  }
}

extension Hashable {
  /// The 32 bits of the hash that leaves and tables store.
  ///
  /// Never 0, which marks an empty slot.
  @inlinable package var storedHash: UInt32 {
    UInt32(truncatingIfNeeded: hashValue) | 1
  }
}

/// What an order tree knows about each of its subtrees, besides the number of elements.
///
/// Trees of sections use some of the properties, and trees of rows use others; items have no
/// totals. The kernel of the elements makes the totals of a leaf. The totals of an inner node are
/// joined from its children. So a descent can skip what it does not search. Totals form a monoid:
/// joining is associative, and empty totals change nothing.
@usableFromInline package struct Totals: Hashable, Sendable {
  /// The items of sections, or the rows of an outline, that are visible.
  package var items = 0
  /// The sections that hold an outline.
  package internal(set) var outlines = 0
  /// The rows of the sections' outlines that collapsed rows hide.
  package internal(set) var hiddenRows = 0
  /// The lowest level of any row, to find the end of a subtree and the parent of a row.
  package var lowestLevel = Int32.max
  /// Whether any row waits for its children.
  package var isLoading = false

  package init() {}

  /// Joins the totals of the elements that follow.
  mutating func append(_ next: Totals) {
    items += next.items
    outlines += next.outlines
    hiddenRows += next.hiddenRows
    lowestLevel = min(lowestLevel, next.lowestLevel)
    if next.isLoading { isLoading = true }
  }

  /// Replaces the totals of one part, if that needs no look at the others.
  ///
  /// - Returns: Whether it did. Numbers can be subtracted, but the lowest level of the rest may be
  ///   unknown.
  mutating func exchange(_ old: Totals, for new: Totals) -> Bool {
    guard old.lowestLevel == new.lowestLevel, old.isLoading == new.isLoading else { return false }
    items += new.items - old.items
    outlines += new.outlines - old.outlines
    hiddenRows += new.hiddenRows - old.hiddenRows
    return true
  }
}

extension ElementKernel {
  /// Whether a writer has given a property of a model a value of its own, without a look at what others have
  /// made of it.
  ///
  /// A writer that has looked gives another value than it gave before, as one that adds to a number. Properties
  /// are the stored ones of a structure, or what its mirror shows, as far as they can be compared. A model that
  /// has none is compared as a whole.
  ///
  /// - Parameters:
  ///   - base: The version that both have started from.
  ///   - theirs: What others have made of it.
  ///   - former: What the writer has made of the base.
  ///   - now: What the writer has made of the others' version.
  /// - Complexity: O(p) for p properties, by reflection.
  package func overrules(
    base: UnsafeRawPointer, theirs: UnsafeRawPointer, former: UnsafeRawPointer,
    now: UnsafeRawPointer
  ) -> Bool {
    func properties<Model>(_ model: UnsafeRawPointer, _ type: Model.Type) -> [Any]? {
      let mirror = Mirror(reflecting: model.assumingMemoryBound(to: type).pointee)
      return mirror.displayStyle == .struct ? mirror.children.map(\.value) : nil
    }
    func compare<Model>(_ type: Model.Type) -> Bool {
      let versions = [base, theirs, former, now].compactMap { properties($0, type) }
      guard versions.count == 4, Set(versions.map(\.count)).count == 1 else { return false }
      for number in versions[0].indices {
        let (base, theirs) = (versions[0][number], versions[1][number])
        let (former, now) = (versions[2][number], versions[3][number])
        if isEqual(base, theirs) == false, isEqual(theirs, now) == false,
          isEqual(former, now) == true
        {
          return true
        }
      }
      return false
    }
    return areEqual(former, now) || _openExistential(type, do: compare)
  }
}

/// Whether two values are equal; `nil` if they cannot be compared.
private func isEqual(_ left: Any, _ right: Any) -> Bool? {
  guard let left = left as? any Equatable else { return nil }
  func compare<Value: Equatable>(_ left: Value) -> Bool? { (right as? Value).map { left == $0 } }
  return compare(left)
}
