/// The summary of a stretch of a sequence: the sum of lengths, the maxima of widths and overhangs.
struct SpanSummary: Hashable, Sendable {
  /// The sum of the lengths.
  var length = 0.0

  /// The longest single length.
  var longest = -Double.infinity

  /// The largest extent across.
  var widest = 0.0

  /// The maximum overhang of anything over its element.
  var overhang = 0.0

  /// The summary of a stretch and the next one.
  static func + (left: SpanSummary, right: SpanSummary) -> SpanSummary {
    SpanSummary(
      length: left.length + right.length, longest: max(left.longest, right.longest),
      widest: max(left.widest, right.widest), overhang: max(left.overhang, right.overhang))
  }
}

/// An element of a ``SpanTree``.
protocol SpanElement: Sendable {
  /// The summary of the element.
  var summary: SpanSummary { get }
}

extension SpanSummary: SpanElement {
  var summary: SpanSummary { self }
}

/// A sparse sequence with fast prefix sums: an order-statistic tree over indices.
///
/// It is a radix tree of fixed height. There are no nodes for stretches without elements, and an
/// index without an element adds nothing. So a million groups of which ten were measured cost ten
/// paths. On every change sums are recomputed from below and never adjusted, so they depend on what
/// is stored and not on the order in which it was stored.
///
/// - Complexity: O(log n) for a change, a prefix or a search, n being the number of indices.
struct SpanTree<Element: SpanElement>: Sendable {
  /// The number of indices.
  let count: Int

  /// The number of indices below each child of the root: a power of the branching factor.
  let rootSpan: Int

  private(set) var root = SpanTreeNode<Element>()

  /// Creates a tree without elements.
  init(count: Int) {
    self.count = max(0, count)
    var span = 1
    while span < (self.count - 1) / Self.branching + 1 { span *= Self.branching }
    rootSpan = span
  }

  /// The number of children of a node.
  private static var branching: Int { SpanTreeNode<Element>.branching }

  /// The summary of all elements.
  var summary: SpanSummary { root.summary }

  /// The element at an index; `nil` if none is stored.
  subscript(index: Int) -> Element? {
    get { index >= 0 && index < count ? root.element(at: index, span: rootSpan) : nil }
    set {
      guard index >= 0 && index < count else { return }
      root.set(newValue, at: index, span: rootSpan)
    }
  }

  /// The sum of the lengths of all elements before an index.
  func length(before index: Int) -> Double {
    root.length(before: min(max(0, index), count), span: rootSpan)
  }

  /// The last index for which a condition holds; `nil` if it holds for none.
  ///
  /// - Parameter condition: Takes an index and the sum of the lengths before it. It must not hold
  ///   again after the first index for which it fails.
  func lastIndex(where condition: (Int, Double) -> Bool) -> Int? {
    guard count > 0, condition(0, 0) else { return nil }
    return root.lastIndex(from: 0, span: rootSpan, count: count, before: 0, where: condition)
  }

  /// Calls a function with every stored element, in order.
  func forEach(_ body: (Int, Element) -> Void) {
    root.forEach(from: 0, span: rootSpan, body)
  }
}

extension SpanTree where Element == SpanSummary {
  /// Creates a tree in which every index has an element.
  init(_ elements: [Element]) {
    self.init(count: elements.count)
    root = SpanTreeNode(elements[...], span: rootSpan)
  }
}
