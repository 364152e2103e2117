/// A node of a ``SpanTree``: elements if its children span one index each, otherwise nodes.
struct SpanTreeNode<Element: SpanElement>: Sendable {
  /// The number of children of a node.
  ///
  /// A power of two, so that divisions are shifts.
  static var branching: Int { 16 }

  private(set) var summary = SpanSummary()
  private(set) var elements: [Element?] = []
  private(set) var children: [SpanTreeNode?] = []

  init() {}

  /// Creates the node of consecutive elements.
  init(_ slice: ArraySlice<Element>, span: Int) {
    if span == 1 {
      elements = slice.map { $0 } + Array(repeating: nil, count: Self.branching - slice.count)
    } else {
      children = (0..<Self.branching).map { child in
        let part = slice.dropFirst(child * span).prefix(span)
        return part.isEmpty ? nil : SpanTreeNode(part, span: span / Self.branching)
      }
    }
    summarize(span)
  }

  /// The element at an index, relative to the node's first.
  func element(at index: Int, span: Int) -> Element? {
    if span == 1 { return elements.isEmpty ? nil : elements[index] }
    guard !children.isEmpty, let child = children[index / span] else { return nil }
    return child.element(at: index % span, span: span / Self.branching)
  }

  /// Stores an element, or removes it.
  mutating func set(_ element: Element?, at index: Int, span: Int) {
    if span == 1 {
      if elements.isEmpty { elements = Array(repeating: nil, count: Self.branching) }
      elements[index] = element
    } else {
      if children.isEmpty { children = Array(repeating: nil, count: Self.branching) }
      let child = index / span
      children[child, default: SpanTreeNode()]
        .set(element, at: index % span, span: span / Self.branching)
    }
    summarize(span)
  }

  /// Recomputes the summary from the children.
  private mutating func summarize(_ span: Int) {
    summary = SpanSummary()
    if span == 1 {
      for case let element? in elements { summary = summary + element.summary }
    } else {
      for case let child? in children { summary = summary + child.summary }
    }
  }

  /// The sum of the lengths of the elements before an index.
  func length(before index: Int, span: Int) -> Double {
    var sum = 0.0
    for child in 0..<min(index / span, Self.branching) { sum += length(ofChild: child, span: span) }
    let rest = index % span
    guard rest > 0, !children.isEmpty, let child = children[index / span] else { return sum }
    return sum + child.length(before: rest, span: span / Self.branching)
  }

  private func length(ofChild child: Int, span: Int) -> Double {
    if span == 1 { return elements.isEmpty ? 0 : elements[child]?.summary.length ?? 0 }
    return children.isEmpty ? 0 : children[child]?.summary.length ?? 0
  }

  /// The last index for which a condition holds, known to hold for the node's first.
  func lastIndex(
    from first: Int, span: Int, count: Int, before: Double,
    where condition: (Int, Double) -> Bool
  ) -> Int {
    var found = 0
    var sum = before
    var next = before
    for child in 1..<Self.branching {
      next += length(ofChild: child - 1, span: span)
      guard first + child * span < count, condition(first + child * span, next) else { break }
      (found, sum) = (child, next)
    }
    let start = first + found * span
    if span == 1 { return start }
    if !children.isEmpty, let child = children[found] {
      return child.lastIndex(
        from: start, span: span / Self.branching, count: count, before: sum, where: condition)
    }
    // Nothing is stored below: the sum is the same for all indices, so a binary search works.
    var low = start
    var high = min(start + span, count)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if condition(middle, sum) { low = middle } else { high = middle }
    }
    return low
  }

  /// Calls a function with every stored element, in order.
  func forEach(from first: Int, span: Int, _ body: (Int, Element) -> Void) {
    for case (let index, let element?) in elements.enumerated() { body(first + index, element) }
    for case (let index, let child?) in children.enumerated() {
      child.forEach(from: first + index * span, span: span / Self.branching, body)
    }
  }
}

extension Array {
  /// The child at an index; created if there is none.
  fileprivate subscript<Child>(index: Int, default child: @autoclosure () -> Child) -> Child
  where Element == Child? {
    get { self[index] ?? child() }
    _modify {
      if self[index] == nil { self[index] = child() }
      var taken = self[index].take() ?? child()
      defer { self[index] = taken }
      yield &taken
    }
  }
}
