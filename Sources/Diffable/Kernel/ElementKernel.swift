/// What the engine asks of elements, compiled where their type is known.
///
/// The engine is compiled once, for elements of any type that are somewhere in memory. Copying and
/// releasing them takes no more than their type; to compare and to hash them takes code of the user.
/// A kernel has the two loops that need it. A client compiles these, and nothing else of the
/// engine.
///
/// A kernel that is made by generic code, where the type is not known, gives the same answers, only
/// slower.
///
/// Whoever calls a kernel's function must hold addresses of elements of its type, initialised and
/// held in memory for as long as the call lasts. ``Leaf``, ``HashedElements`` and `ValueSide` are where
/// that is seen to.
@usableFromInline package final class ElementKernel: Sendable {
  /// Writes the stored hash of each of some neighbours.
  @usableFromInline package typealias WriteHashes =
    @Sendable (_ first: UnsafeRawPointer, _ count: Int, UnsafeMutablePointer<UInt32>) -> Void
  /// Returns the number of neighbours, from the first on, that are equal one by one in two places.
  @usableFromInline package typealias CountEqual =
    @Sendable (_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int

  /// The type of the elements.
  let type: any Any.Type
  /// How many bytes of an element count: behind the last one there may be no more.
  let size: Int
  /// How far apart neighbours are in memory, in bytes.
  let stride: Int
  /// What the address of an element is a multiple of, in bytes.
  let alignment: Int
  /// Whether copying an element copies its bytes, and nothing else.
  let isTrivial: Bool
  let writeHashes: WriteHashes
  let countEqual: CountEqual
  /// What a tree is to know of some neighbours, or `nil` if that is nothing.
  let totals: (@Sendable (_ first: UnsafeRawPointer, _ count: Int) -> Totals)?

  @usableFromInline init<Element: Sendable>(
    _ type: Element.Type, writeHashes: @escaping WriteHashes, countEqual: @escaping CountEqual
  ) {
    self.type = type
    size = MemoryLayout<Element>.size
    stride = MemoryLayout<Element>.stride
    alignment = MemoryLayout<Element>.alignment
    isTrivial = _isPOD(type)
    self.writeHashes = writeHashes
    self.countEqual = countEqual
    totals = nil
  }

  /// Creates the kernel of elements whose first stored property is an identifier, which tells them
  /// apart.
  init<Element: Sendable>(
    _ type: Element.Type, identifiedBy id: ElementKernel,
    totals: @escaping @Sendable (_ first: UnsafeRawPointer, _ count: Int) -> Totals
  ) {
    self.type = type
    size = MemoryLayout<Element>.size
    let stride = MemoryLayout<Element>.stride
    self.stride = stride
    alignment = MemoryLayout<Element>.alignment
    isTrivial = _isPOD(type)
    let (hash, compare) = (id.writeHashes, id.countEqual)
    writeHashes = { first, count, hashes in
      for index in 0..<count { hash(first + index &* stride, 1, hashes + index) }
    }
    countEqual = { left, right, count in
      var equal = 0
      while equal < count, compare(left + equal &* stride, right + equal &* stride, 1) == 1 {
        equal &+= 1
      }
      return equal
    }
    self.totals = totals
  }

  /// Creates the kernel of elements that are told apart by an identifier.
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

  /// Creates the kernel of models, which are compared as wholes and never looked for.
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
  @inline(__always) func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    countEqual(left, right, 1) == 1
  }
}

/// What takes no more than the type of the elements.
extension ElementKernel {
  /// Copies some neighbours to memory that holds nothing.
  func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    guard !isTrivial else {
      return target.copyMemory(from: source, byteCount: byteCount(of: count))
    }
    func copy<Element>(_ type: Element.Type) {
      target.assumingMemoryBound(to: type)
        .initialize(from: source.assumingMemoryBound(to: type), count: count)
    }
    _openExistential(type, do: copy)
  }

  /// Copies elements from several places, one after the other, to memory that holds nothing.
  func gather(_ sources: [UnsafeRawPointer], to target: UnsafeMutableRawPointer) {
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

  /// How many bytes some neighbours take, those between them included.
  private func byteCount(of count: Int) -> Int {
    count > 0 ? (count &- 1) &* stride &+ size : 0
  }

  /// Moves some neighbours to memory that holds nothing, which may overlap with theirs.
  func move(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    guard !isTrivial else {
      return target.copyMemory(from: source, byteCount: byteCount(of: count))
    }
    func move<Element>(_ type: Element.Type) {
      target.assumingMemoryBound(to: type)
        .moveInitialize(from: source.assumingMemoryBound(to: type), count: count)
    }
    _openExistential(type, do: move)
  }

  /// Releases what some neighbours hold; their memory holds nothing after that.
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
  @inlinable var storedHash: UInt32 {
    UInt32(truncatingIfNeeded: hashValue) | 1
  }
}
