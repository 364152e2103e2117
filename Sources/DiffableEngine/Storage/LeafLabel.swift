/// A number that orders the leaves of a tree.
///
/// Labels ascend over the leaves and have gaps, so that a new leaf between two others gets a label
/// while the others keep theirs. So an index from elements to labels of leaves survives edits
/// elsewhere. It leads to a position by one descent from the root, without parent pointers, which
/// nodes that several versions share cannot have.
package struct LeafLabel: Hashable, Comparable, Sendable {
  /// A number of 56 bits: the tables that file labels use the other bits.
  package let rawValue: UInt64

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
