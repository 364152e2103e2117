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
/// held in memory for as long as the call lasts. `ValueSide` is where that is seen to.
@usableFromInline package struct ElementKernel: Sendable {
  /// The type of the elements.
  @usableFromInline let type: any Any.Type
  /// How far apart neighbours are in memory, in bytes.
  @usableFromInline let stride: Int
  /// Writes the stored hash of each of some neighbours.
  @usableFromInline let writeHashes:
    @Sendable (_ first: UnsafeRawPointer, _ count: Int, UnsafeMutablePointer<UInt32>) -> Void
  /// The number of neighbours, from the first on, that are equal one by one in two places.
  @usableFromInline let countEqual:
    @Sendable (_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int

  /// Creates the kernel of elements that are told apart by an identifier.
  @inlinable package init<Element: Sendable, ID: Hashable & Sendable>(
    _ type: Element.Type, by id: @escaping @Sendable (Element) -> ID
  ) {
    self.type = type
    stride = MemoryLayout<Element>.stride
    writeHashes = { first, count, hashes in
      let elements = first.assumingMemoryBound(to: Element.self)
      for index in 0..<count { hashes[index] = id(elements[index]).storedHash }
    }
    countEqual = { left, right, count in
      let left = left.assumingMemoryBound(to: Element.self)
      let right = right.assumingMemoryBound(to: Element.self)
      var equal = 0
      while equal < count, id(left[equal]) == id(right[equal]) { equal &+= 1 }
      return equal
    }
  }

  /// Creates the kernel of identifiers.
  @inlinable package init<ID: Hashable & Sendable>(_ type: ID.Type) {
    self.type = type
    stride = MemoryLayout<ID>.stride
    writeHashes = { first, count, hashes in
      let elements = first.assumingMemoryBound(to: ID.self)
      for index in 0..<count { hashes[index] = elements[index].storedHash }
    }
    countEqual = { left, right, count in
      let left = left.assumingMemoryBound(to: ID.self)
      let right = right.assumingMemoryBound(to: ID.self)
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
