/// One side of a comparison of values: lists of elements where they are in memory, and their hashes.
///
/// A hash is asked for when it is first needed, and once.
///
/// The addresses lead into arrays that ``withSide(of:hashes:kernel:_:)`` holds while it calls its
/// function, and nothing else makes a side: so they are those of elements of the kernel's type.
struct ValueSide {
  let kernel: ElementKernel
  /// The lists: those of a snapshot are its sections.
  let columns: [Column]
  /// By element, counted over all columns: its hash; 0 if it is not known.
  let hashes: UnsafeMutableBufferPointer<UInt32>

  /// A list of elements.
  struct Column {
    /// Where the first element is, if there is one.
    let first: UnsafeRawPointer?
    let count: Int
    /// The number of elements in all columns before it.
    let start: Int

    /// The elements, counted over all columns.
    var elements: Range<Int> { start..<start + count }
  }

  /// Calls a function with the side that some arrays are.
  ///
  /// - Parameters:
  ///   - hashes: What is known of them, one for each element.
  ///   - kernel: That of the arrays' elements.
  static func withSide<Element, Result>(
    of arrays: [ContiguousArray<Element>], hashes: ElementHashes? = nil, kernel: ElementKernel,
    _ body: (ValueSide) -> Result
  ) -> Result {
    precondition(kernel.type == Element.self, "a kernel of other elements")
    var (columns, start) = ([Column](), 0)
    columns.reserveCapacity(arrays.count)
    for array in arrays {
      // What a contiguous array holds stays where it is while the array is held.
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

  /// Where an element is in memory.
  @inline(__always) func address(_ column: Int, _ index: Int) -> UnsafeRawPointer {
    // A list that holds an element has an address.
    columns[column].first.unsafelyUnwrapped + index &* kernel.stride
  }

  /// The same of an element that was counted over all columns.
  func address(of element: Int) -> UnsafeRawPointer {
    let (column, index) = place(of: element)
    return address(column, index)
  }

  /// Where an element is that was counted over all columns.
  func place(of element: Int) -> (column: Int, index: Int) {
    guard columns.count > 1 else { return (0, element) }
    let next = columns.withUnsafeBufferPointer { $0.count(upTo: element) { $0.start } }
    return (next - 1, element - columns[next - 1].start)
  }

  /// The hash of an element, or 0 if it has not been asked for.
  @inline(__always) func knownHash(_ column: Int, _ index: Int) -> UInt32 {
    hashes[columns[column].start &+ index]
  }

  /// Asks for the hashes of some neighbouring elements, where they are not known.
  func hash(_ column: Int, _ range: Range<Int>) {
    let start = columns[column].start
    var index = range.lowerBound
    while index < range.upperBound {
      guard hashes[start &+ index] == 0 else {
        index &+= 1
        continue
      }
      var end = index + 1
      while end < range.upperBound, hashes[start &+ end] == 0 { end &+= 1 }
      kernel.writeHashes(
        address(column, index), end - index,
        hashes.baseAddress.unsafelyUnwrapped + start + index)
      index = end
    }
  }

  /// Files the elements of some ranges by their hashes, or returns `nil` if two are equal.
  ///
  /// - Complexity: expected O(k) for k elements, given a good hash.
  func tableOfDistinct(_ ranges: [(column: Int, range: Range<Int>)]) -> HashSlots? {
    var slots = HashSlots(capacity: ranges.reduce(0) { $0 + $1.range.count })
    for (column, range) in ranges {
      hash(column, range)
      for index in range {
        let element = columns[column].start &+ index
        let other = slots.insert(element, hash: hashes[element]) { other in
          hashes[other] == hashes[element]
            && kernel.areEqual(address(of: other), address(column, index))
        }
        guard other == nil else { return nil }
      }
    }
    return slots
  }

  /// Whether no two elements are equal; if so, all hashes are known.
  ///
  /// - Complexity: expected O(n) for n elements, given a good hash: one hash and one place in a table
  ///   each.
  func isUnique() -> Bool {
    tableOfDistinct(columns.indices.map { ($0, 0..<columns[$0].count) }) != nil
  }
}
