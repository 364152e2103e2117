/// A sequence of numbers that knows the sum of any adjacent ones.
///
/// It is a B+tree, and the sum of a node is made from those below it. Nothing is ever subtracted, so an
/// infinite number leaves nothing behind, and roundings do not add up. And only numbers that somebody
/// wants the sum of are added: the others may be too large for that.
///
/// Invariants:
/// 1. A node has numbers or other nodes, at most `width`; all numbers are at one depth.
/// 2. `count` and, once it is known, `total` are those of all numbers below it.
struct SumSequence<Number: AdditiveArithmetic> {
  private var numbers: [Number] = []
  private var nodes: [SumSequence] = []
  private(set) var count = 0
  private var total: Number?

  private static var width: Int { 32 }

  init() {}

  private init(numbers: [Number]) {
    self.numbers = numbers
    count = numbers.count
  }

  private init(nodes: [SumSequence]) {
    self.nodes = nodes
    count = nodes.reduce(0) { $0 + $1.count }
  }

  /// The sum of adjacent numbers.
  ///
  /// - Complexity: O(log n) for n numbers, amortised over their changes.
  mutating func sum(of range: Range<Int>) -> Number {
    guard !range.isEmpty else { return .zero }
    let isWhole = range == 0..<count
    if isWhole, let total { return total }
    var sum = Number.zero
    if nodes.isEmpty {
      for number in numbers[range] { sum += number }
    } else {
      var (index, start) = (0, 0)
      while start < range.upperBound {
        let end = start + nodes[index].count
        let part = range.clamped(to: start..<end)
        if !part.isEmpty {
          sum += nodes[index].sum(of: part.lowerBound - start..<part.upperBound - start)
        }
        (index, start) = (index + 1, end)
      }
    }
    if isWhole { total = sum }
    return sum
  }

  /// Replaces adjacent numbers.
  ///
  /// - Complexity: O(log n + m) for m of n numbers that are removed or inserted.
  mutating func replaceSubrange(_ range: Range<Int>, with new: [Number]) {
    var parts = replacing(range, with: new)
    while parts.count > 1 { parts = Self.above(parts) }
    self = parts.first ?? SumSequence()
    while nodes.count == 1 { self = nodes[0] }
  }

  /// The nodes, as high as this one, that take its place; it is used up.
  private mutating func replacing(_ range: Range<Int>, with new: [Number]) -> [SumSequence] {
    guard !nodes.isEmpty else {
      numbers.replaceSubrange(range, with: new)
      var leaves: [SumSequence] = []
      for part in Self.parts(of: numbers) { leaves.append(SumSequence(numbers: part)) }
      return leaves
    }
    var (first, start) = (0, 0)
    while first + 1 < nodes.count, start + nodes[first].count < range.lowerBound {
      start += nodes[first].count
      first += 1
    }
    var (last, parts) = (first, [SumSequence]())
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
  private static func above(_ nodes: [SumSequence]) -> [SumSequence] {
    var above: [SumSequence] = []
    for part in parts(of: nodes) { above.append(SumSequence(nodes: part)) }
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
