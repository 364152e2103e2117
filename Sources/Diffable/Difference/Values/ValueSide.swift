/// One side of a comparison of values: the addresses of lists of elements, and their hashes.
///
/// A hash is computed when it is first needed, once.
///
/// The addresses point into arrays that ``withSide(of:hashes:kernel:_:)`` holds during its call,
/// and only that function makes a side. So they are addresses of elements of the kernel's type.
struct ValueSide {
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
  static func withSide<Element, Result>(
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
    let next = columns.withUnsafeBufferPointer { $0.count(upTo: element) { $0.start } }
    return (next - 1, element - columns[next - 1].start)
  }

  /// The hash of an element, or 0 if it has not been computed.
  @inline(__always) func knownHash(_ column: Int, _ index: Int) -> UInt32 {
    hashes[columns[column].start &+ index]
  }

  /// Computes the hashes of adjacent elements, unless they are known.
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
  /// - Complexity: expected O(n) for n elements, given a good hash: one hash and one place in a
  ///   table each.
  func isUnique() -> Bool {
    tableOfDistinct(columns.indices.map { ($0, 0..<columns[$0].count) }) != nil
  }
}
