import Diffable

/// What must come of taking changes back.
struct TakingBack {
  /// Newest first.
  let steps: [Change]
  let live: PlainList
  let isMerging: Bool

  func judge(_ result: PlainList) throws {
    guard let newest = steps.first, let oldest = steps.last else { return }
    let isNeighbours = zip(steps, steps.dropFirst()).allSatisfy { $0.before == $1.after }
    if newest.after == live, isNeighbours {
      // Nobody has written since: everything is as it was.
      return try promise(
        result.text == oldest.before.text,
        "takes back to\n  \(result.text)\ninstead of\n  \(oldest.before.text)")
    }
    let nested = live.sections.filter(\.isTree).flatMap(\.rows).map(\.soul)
    let touched = Set(nested).union(steps.flatMap { Self.touched($0.before, $0.after) + $0.placed })
    try promise(
      result.order(without: touched) == live.order(without: touched),
      "takes back what others did:\n  \(result.text)\nfrom\n  \(live.text)")
    for row in result.rows {
      guard let expected = model(of: row.soul) else { continue }
      try promise(
        row.card.rank == expected.rank && row.card.text == expected.text,
        "the model is \(row.card) instead of \(expected)")
    }
  }

  /// The model of a row, taken back from the newest change to the oldest.
  private func model(of soul: Int) -> Card? {
    guard var card = live.card(soul) else { return steps.last?.before.card(soul) }
    for step in steps {
      guard let before = step.before.card(soul), let after = step.after.card(soul) else { continue }
      let fields = [before, after, card].map { [$0.rank, $0.text] }
      if fields[0] == fields[1] { continue }
      if fields[2] == fields[1] {
        card = before
      } else if isMerging, fields[2] != fields[0] {
        card = Card.merged(after, before, card)
      }
    }
    return card
  }

  /// The rows that a change has put somewhere, or whose row above it may be another one.
  static func touched(_ before: PlainList, _ after: PlainList) -> [Int] {
    let (old, new) = (Set(before.rows.map(\.soul)), Set(after.rows.map(\.soul)))
    let kept = old.intersection(new)
    let longest = PlainList.longestCommon(
      before.order(without: old.subtracting(kept)).flatMap { $0 },
      after.order(without: new.subtracting(kept)).flatMap { $0 })
    let moved = kept.subtracting(longest)
    let isOther = before.sections.map(\.shelf) != after.sections.map(\.shelf)
    let nested = (before.sections + after.sections).filter(\.isTree).flatMap(\.rows).map(\.soul)
    return isOther
      ? Array(old.union(new)) : Array(old.symmetricDifference(new).union(moved)) + nested
  }
}

extension PlainList {
  func card(_ soul: Int) -> Card? { rows.first { $0.soul == soul }?.card }

  /// The souls of each section, from top to bottom, without some.
  func order(without souls: Set<Int>) -> [[Int]] {
    sections.map { $0.rows.map(\.soul).filter { !souls.contains($0) } }.filter { !$0.isEmpty }
  }

  /// The rows that another list has under other names.
  func souls(calledOtherwiseIn other: PlainList) -> Set<Int> {
    let names = Dictionary(other.rows.map { ($0.soul, $0.id) }) { one, _ in one }
    return Set(rows.filter { row in names[row.soul].map { $0 != row.id } ?? false }.map(\.soul))
  }

  /// Rows that are in the same order in two lists.
  static func longestCommon(_ one: [Int], _ other: [Int]) -> Set<Int> {
    var best = [[Int]](repeating: [], count: other.count + 1)
    for soul in one {
      var next = best
      for index in other.indices {
        next[index + 1] =
          soul == other[index]
          ? best[index] + [soul]
          : (best[index + 1].count >= next[index].count ? best[index + 1] : next[index])
      }
      best = next
    }
    return Set(best[other.count])
  }

  /// Gives rows the souls of those that are called the same in other lists.
  ///
  /// - Parameter isStrange: Whether a row may be there under two names, as somebody has not been told of one.
  mutating func takeSouls(
    from lists: [PlainList], isStrange: Bool = false, fresh: () -> Int
  ) throws {
    var known: Set<Int> = []
    for section in sections.indices {
      for row in sections[section].rows.indices {
        let id = sections[section].rows[row].id
        let soul = lists.lazy.compactMap { $0.row(id)?.soul }.first
        guard let soul else { throw Failure("a row \(id) comes from nowhere") }
        let isSecond = !known.insert(soul).inserted
        sections[section].rows[row].soul = isSecond && isStrange ? fresh() : soul
      }
    }
    let souls = rows.map(\.soul)
    try promise(Set(souls).count == souls.count, "a row is there under two names:\n  \(text)")
  }
}
