/// What is found of what a user types, as the documentation of search fields says it.
enum PlainSearch {
  /// While a user types, and when that is replaced.
  static let typed = ["", "r", "re", "red", "re GR", "green", "dér", "x"]

  /// No typed word is in one of them in pieces only.
  private static let titles = ["red", "a red", "bred", "Green red", "redder"]

  static func title(_ card: Card) -> String { titles[(card.rank + card.text) % titles.count] }

  /// The points of a row; `nil` if it is not found.
  static func points(_ card: Card, _ number: Int) -> Int? {
    let words = title(card).lowercased().split(separator: " ")
    var sum = 0
    for word in plain(number) {
      let points = words.enumerated().compactMap { place, other -> Int? in
        if other == word { return place == 0 ? 90 : 80 }
        if other.hasPrefix(word) { return place == 0 ? 70 : 60 }
        return other.contains(word) ? 40 : nil
      }
      guard let best = points.max() else { return nil }
      sum += best
    }
    return sum
  }

  /// Of rows with as many points, shorter texts are first, if anything is typed.
  static func length(_ card: Card, _ number: Int) -> Int {
    plain(number).isEmpty ? 0 : title(card).count
  }

  private static func plain(_ number: Int) -> [Substring] {
    typed[number].lowercased().replacing("é", with: "e").split(separator: " ")
  }

  /// What is shown of a row that is found.
  static func found(_ card: Card, points: Int) -> Card {
    Card(id: card.id, rank: card.rank, text: card.text % 5 + points)
  }

  /// What rows are ranked by; many have the same score.
  static func score(_ card: Card, _ field: PlainQuery.Field) -> Int? {
    let value = PlainQuery.value(card, field)
    return value == 1 ? nil : value % 3
  }
}

extension Section {
  /// Keeps the rows with the best scores, the best first; those with the same score stay in their order.
  mutating func keepBest(_ limit: Int?, _ score: (Card) -> (Int, Int)?) {
    let scored = rows.enumerated().compactMap { place, row in
      score(row.card).map { (row: row, place: place, score: $0) }
    }
    let best = scored.sorted { left, right in
      left.score == right.score ? left.place < right.place : left.score > right.score
    }
    rows = best.prefix(limit ?? .max).map(\.row)
  }
}
