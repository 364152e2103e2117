/// What each of a sequence of rows gives to an aggregate, and what any adjacent ones come to.
///
/// It is a B+tree, and what a node comes to is made from those below it. Nothing is ever taken away, so an
/// infinite number leaves nothing behind. And only what somebody wants is worked out: what else there is may be
/// too large for that.
///
/// Invariants:
/// 1. A node has inputs or other nodes, at most `width`; all inputs are at one depth.
/// 2. `count` and, once it is known, `total` are those of all inputs below it.
struct AggregateSequence<Rule: AggregateRule> {
  private var inputs: [Rule.Input] = []
  private var nodes: [AggregateSequence] = []
  private(set) var count = 0
  private var total: Rule.Partial?

  private static var width: Int { 32 }

  init() {}

  private init(inputs: [Rule.Input]) {
    self.inputs = inputs
    count = inputs.count
  }

  private init(nodes: [AggregateSequence]) {
    self.nodes = nodes
    count = nodes.reduce(0) { $0 + $1.count }
  }

  /// What adjacent rows come to.
  ///
  /// - Complexity: O(log n) for n rows, amortised over their changes.
  mutating func partial(of range: Range<Int>, by rule: Rule) -> Rule.Partial {
    var partial = rule.empty
    add(range, to: &partial, by: rule)
    return partial
  }

  private mutating func add(_ range: Range<Int>, to partial: inout Rule.Partial, by rule: Rule) {
    guard !range.isEmpty else { return }
    guard range != 0..<count else { return rule.merge(whole(by: rule), into: &partial) }
    addParts(range, to: &partial, by: rule)
  }

  private mutating func whole(by rule: Rule) -> Rule.Partial {
    if let total { return total }
    var whole = rule.empty
    addParts(0..<count, to: &whole, by: rule)
    total = whole
    return whole
  }

  private mutating func addParts(
    _ range: Range<Int>, to partial: inout Rule.Partial, by rule: Rule
  ) {
    guard !nodes.isEmpty else { return rule.add(inputs[range], to: &partial) }
    var (index, start) = (0, 0)
    while start < range.upperBound {
      let end = start + nodes[index].count
      let part = range.clamped(to: start..<end)
      if !part.isEmpty {
        nodes[index].add(
          part.lowerBound - start..<part.upperBound - start, to: &partial, by: rule)
      }
      (index, start) = (index + 1, end)
    }
  }

  /// Replaces adjacent inputs.
  ///
  /// - Complexity: O(log n + m) for m of n inputs that are removed or inserted.
  mutating func replaceSubrange(_ range: Range<Int>, with new: [Rule.Input]) {
    var parts = replacing(range, with: new)
    while parts.count > 1 { parts = Self.above(parts) }
    self = parts.first ?? AggregateSequence()
    while nodes.count == 1 { self = nodes[0] }
  }

  /// The nodes, as high as this one, that take its place; it is used up.
  private mutating func replacing(
    _ range: Range<Int>, with new: [Rule.Input]
  ) -> [AggregateSequence] {
    guard !nodes.isEmpty else {
      inputs.replaceSubrange(range, with: new)
      var leaves: [AggregateSequence] = []
      for part in Self.parts(of: inputs) { leaves.append(AggregateSequence(inputs: part)) }
      return leaves
    }
    var (first, start) = (0, 0)
    while first + 1 < nodes.count, start + nodes[first].count < range.lowerBound {
      start += nodes[first].count
      first += 1
    }
    var (last, parts) = (first, [AggregateSequence]())
    repeat {
      let part = range.clamped(to: start..<start + nodes[last].count)
      let count = nodes[last].count
      parts += nodes[last].replacing(
        part.lowerBound - start..<part.upperBound - start, with: last == first ? new : [])
      start += count
      last += 1
    } while last < nodes.count && start < range.upperBound
    nodes.replaceSubrange(first..<last, with: parts)
    return Self.above(nodes)
  }

  /// The nodes above some others.
  private static func above(_ nodes: [AggregateSequence]) -> [AggregateSequence] {
    var above: [AggregateSequence] = []
    for part in parts(of: nodes) { above.append(AggregateSequence(nodes: part)) }
    return above
  }

  /// Elements in pieces for nodes: one if they fit, otherwise even ones with spare room.
  private static func parts<Element>(of elements: [Element]) -> [[Element]] {
    guard elements.count > width else { return elements.isEmpty ? [] : [elements] }
    let length = width * 3 / 4
    let parts = (elements.count + length - 1) / length
    return (0..<parts).map {
      Array(elements[elements.count * $0 / parts..<elements.count * ($0 + 1) / parts])
    }
  }
}
