import ListSupport

@testable import DiffableQueries

extension QueryScript.Measure {
  /// The same, asked of the product.
  var aggregate: Aggregate<Note, Int> {
    switch self {
    case .count: .count
    case .sum: .sum(of: { $0.text })
    case .least: Self.least().map { $0 ?? 0 }
    case .words:
      Aggregate<Note, [Int]>.reduce(of: { [$0.id, $0.text] }, []) { $0 + $1 }
        .map { Self.number($0) }
    }
  }

  static func least() -> Aggregate<Note, Int?> {
    .reduce(of: { $0.title > 0 ? $0.title : nil }, nil) { left, right in
      [left, right].compactMap(\.self).min()
    }
  }

  /// In arrays.
  func value(of notes: [Note]) -> Int {
    switch self {
    case .count: notes.count
    case .sum: notes.reduce(0) { $0 + $1.text }
    case .least: notes.map(\.title).filter { $0 > 0 }.min() ?? 0
    case .words: Self.number(notes.flatMap { [$0.id, $0.text] })
    }
  }

  private static func number(_ words: [Int]) -> Int { words.reduce(7) { (31 * $0 + $1) % 1009 } }
}
