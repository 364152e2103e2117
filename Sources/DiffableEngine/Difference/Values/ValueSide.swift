/// One side of a comparison of values: the addresses of lists of elements, and their hashes.
///
/// A hash is computed when it is first needed, once.
///
/// The addresses point into arrays that ``withSide(of:hashes:kernel:_:)`` holds during its call,
/// and only that function makes a side. So they are addresses of elements of the kernel's type.
package struct ValueSide {
  let kernel: ElementKernel
  /// The lists; for a snapshot, these are its sections.
  let columns: [Column]
  /// By element, counted over all columns: its hash, or 0 if it is not known.
  let hashes: UnsafeMutableBufferPointer<UInt32>

  /// A list of elements.
  struct Column {
    /// The address of the first element, if there is one.
    let first: UnsafeRawPointer?
    let count: Int
    /// The number of elements in all columns before it.
    let start: Int

    /// The elements, counted over all columns.
    var elements: Range<Int> { start..<start + count }
  }

  /// Calls a function with the side for some arrays.
  ///
  /// - Parameters:
  ///   - hashes: The known hashes, one for each element.
  ///   - kernel: The kernel of the arrays' elements.
  package static func withSide<Element, Result>(
    of arrays: [ContiguousArray<Element>], hashes: ElementHashes? = nil, kernel: ElementKernel,
    _ body: (ValueSide) -> Result
  ) -> Result {
    precondition(kernel.type == Element.self, "a kernel of other elements")
    var (columns, start) = ([Column](), 0)
    columns.reserveCapacity(arrays.count)
    for array in arrays {
      // The elements of a contiguous array do not move while the array is held.
      let first = array.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
      columns.append(Column(first: first, count: array.count, start: start))
      start += array.count
    }
    let hashes = hashes ?? ElementHashes(count: start)
    precondition(hashes.values.count == start, "as many hashes as elements")
    return withExtendedLifetime((arrays, hashes)) {
      body(ValueSide(kernel: kernel, columns: columns, hashes: hashes.values))
    }
  }

  /// The address of an element.
  @inline(__always) func address(_ column: Int, _ index: Int) -> UnsafeRawPointer {
    // A list that holds an element has an address.
    columns[column].first.unsafelyUnwrapped + index &* kernel.stride
  }

  /// The address of an element counted over all columns.
  func address(of element: Int) -> UnsafeRawPointer {
    let (column, index) = place(of: element)
    return address(column, index)
  }

  /// The place of an element counted over all columns.
  func place(of element: Int) -> (column: Int, index: Int) {
    guard columns.count > 1 else { return (0, element) }
    let next = columns.withUnsafeBufferPointer {
      $0.count(upTo: Int64(element)) { Int64($0.start) }
    }
    return (next - 1, element - columns[next - 1].start)
  }

  /// The hash of an element, or 0 if it has not been computed.
  @inline(__always) func knownHash(_ column: Int, _ index: Int) -> UInt32 {
    hashes[columns[column].start &+ index]
  }

  /// The hashes of adjacent elements, as far as they have been computed.
  func knownHashes(_ column: Int, _ range: Range<Int>) -> UnsafeBufferPointer<UInt32> {
    let start = columns[column].start
    return UnsafeBufferPointer(
      rebasing: hashes[start + range.lowerBound..<start + range.upperBound])
  }

  /// Computes the hashes of adjacent elements, unless they are known.
  func hash(_ column: Int, _ range: Range<Int>) {
    let start = columns[column].start
    let end = start + range.upperBound
    let known = UnsafeBufferPointer(hashes)
    var element = start + range.lowerBound
    while let first = known.firstIndex(ofHash: 0, in: element..<end) {
      var next = first + 1
      while next < end, known[next] == 0 { next &+= 1 }
      kernel.writeHashes(
        address(column, first - start), next - first,
        hashes.baseAddress.unsafelyUnwrapped + first)
      element = next
    }
  }

  /// The distance from an element of a list to the first one with a hash, if it is in a range.
  func distance(
    toHash sought: UInt32, _ column: Int, _ index: Int, _ distances: Range<Int>
  ) -> Int? {
    let (start, count) = (columns[column].start, columns[column].count)
    var next = index + distances.lowerBound
    let end = index + min(distances.upperBound, count - index)
    while next < end {
      // A block that is found early needs no more hashes.
      let batch = next..<min(next + 256, end)
      hash(column, batch)
      let found = UnsafeBufferPointer(hashes)
        .firstIndex(ofHash: sought, in: start + batch.lowerBound..<start + batch.upperBound)
      if let found { return found - start - index }
      next = batch.upperBound
    }
    return nil
  }

  /// Whether no two elements are equal; if so, all hashes are known.
  ///
  /// One bit for each hash tells which hashes more than one element may have: mostly few.
  ///
  /// - Complexity: expected O(n) for n elements, given a good hash: one hash and one bit each.
  func isUnique() -> Bool {
    for column in columns.indices { hash(column, 0..<columns[column].count) }
    var filter = HashFilter(capacity: hashes.count)
    var met: [UInt32] = []
    filter.add(UnsafeBufferPointer(hashes)) { met.append($0) }
    return areDistinct(hashedTo: met)
  }

  /// Whether no two elements are equal that have one of some hashes.
  ///
  /// Needs all hashes.
  ///
  /// - Complexity: O(n) looks at a stored hash for n elements. Those with the hashes are filed, and
  ///   compared if they share a hash.
  func areDistinct(hashedTo repeated: [UInt32]) -> Bool {
    guard !repeated.isEmpty else { return true }
    var elements: [Int] = []
    // A larger set than usual: what passes it by chance is filed in vain.
    var filter = HashFilter(capacity: repeated.count * 4)
    repeated.withUnsafeBufferPointer { filter.add($0) { _ in } }
    filter.forEachCandidate(in: UnsafeBufferPointer(hashes)) { elements.append($0) }
    var slots = HashSlots(capacity: elements.count)
    return elements.allSatisfy { element in
      let (hash, address) = (hashes[element], address(of: element))
      return slots.insert(element, hash: hash) {
        hashes[$0] == hash && kernel.areEqual(self.address(of: $0), address)
      }
    }
  }
}
