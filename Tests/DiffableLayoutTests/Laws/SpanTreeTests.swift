import Testing

@testable import DiffableLayout

/// The order-statistic tree against an array.
///
/// The tree is not API, and no public call shows its sums one by one, hence the testable import.
@Suite("Span tree")
struct SpanTreeTests {
  @Test(
    "Prefixes and searches agree with an array", arguments: [0, 1, 2, 15, 16, 17, 256, 257, 5_000])
  func againstAnArray(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var tree = SpanTree<SpanSummary>(count: count)
    var lengths = Array(repeating: 0.0, count: count)
    for _ in 0..<min(count, 200) {
      let index = Int.random(in: 0..<count, using: &random)
      let removes = random.chance(0.2)
      let length = removes ? 0 : Double(Int.random(in: -3...9, using: &random))
      tree[index] = removes ? nil : SpanSummary(length: length, longest: length)
      lengths[index] = length
    }
    var sum = 0.0
    for index in 0...count {
      #expect(tree.length(before: index) == sum)
      if index < count { sum += lengths[index] }
    }
    #expect(tree.summary.length == sum)
    // Starts ten apart and more than any length are in order, so they can be searched.
    for target in stride(from: -5.0, through: Double(count) * 10 + 20, by: 7) {
      var expected: Int?
      var before = 0.0
      for index in 0..<count {
        if Double(index) * 10 + before <= target { expected = index }
        before += lengths[index]
      }
      #expect(tree.lastIndex { Double($0) * 10 + $1 <= target } == expected)
    }
  }

  @Test("Sums depend on what is stored, not on the order in which it was")
  func orderOfChanges() {
    var random = SeededGenerator(seed: 7)
    let values = (0..<300).map { _ in Double.random(in: 0...1, using: &random) }
    var forwards = SpanTree<SpanSummary>(count: 300)
    var backwards = forwards
    for index in values.indices { forwards[index] = SpanSummary(length: values[index]) }
    for index in values.indices.reversed() {
      backwards[index] = SpanSummary(length: 99)
      backwards[index] = SpanSummary(length: values[index])
    }
    #expect(forwards.summary == backwards.summary)
    #expect(SpanTree(values.map { SpanSummary(length: $0) }).summary == forwards.summary)
    for index in 0...300 {
      #expect(forwards.length(before: index) == backwards.length(before: index))
    }
  }

  @Test("A copy is not changed with its original")
  func copies() {
    var tree = SpanTree<SpanSummary>(count: 1_000)
    tree[5] = SpanSummary(length: 1)
    let copy = tree
    tree[5] = SpanSummary(length: 2)
    tree[999] = SpanSummary(length: 3)
    #expect(copy.summary.length == 1 && tree.summary.length == 5)
  }

  @Test("Indices outside are empty")
  func outside() {
    var tree = SpanTree<SpanSummary>(count: 10)
    tree[-1] = SpanSummary(length: 1)
    tree[10] = SpanSummary(length: 1)
    #expect(tree[-1] == nil && tree[10] == nil && tree.summary.length == 0)
    #expect(tree.length(before: -5) == 0 && tree.length(before: 50) == 0)
    #expect(tree.lastIndex { _, _ in false } == nil)
  }
}
