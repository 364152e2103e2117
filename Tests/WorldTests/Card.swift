import Diffable

/// What a row of the world shows.
struct Card: RenamableModel, Hashable, Codable, Sendable {
  var id: Int
  var rank = 0
  var text = 0

  /// Rows that both lists have, as rows of their own.
  static let sharedIDs = 2...4

  mutating func rename(to id: Int) { self.id = id }
}

/// What identifies a section of the world; its model is a title.
struct Shelf: ModelledSection, Codable, Comparable, CustomStringConvertible {
  typealias SectionModel = String

  let number: Int

  init(_ number: Int) { self.number = number }

  var description: String { "s\(number)" }

  static func < (left: Shelf, right: Shelf) -> Bool { left.number < right.number }
}

typealias CardBatch = ModelBatch<Shelf, Card>
typealias CardState = Snapshot<Shelf, Int>
typealias CardDraft = ModelDraft<Shelf, Card>

/// A source of any kind whose rows are cards.
protocol CardSource: ListSource where Batch == CardBatch {}

extension ModelSource: CardSource where SectionID == Shelf, Model == Card {}
