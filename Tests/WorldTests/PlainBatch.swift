import Diffable
import DiffableQueries

/// What rows of sources are in the world: cards with numbers.
protocol PlainModel: Identifiable, Equatable, Sendable where ID: Sendable {
  var card: Card { get }
  static func number(_ id: ID) -> Int
  static func id(_ number: Int) -> ID
}

extension Card: PlainModel {
  var card: Card { self }
  static func number(_ id: Int) -> Int { id }
  static func id(_ number: Int) -> Int { number }
}

extension AbridgedRow: PlainModel where SectionID == Shelf, Element == Card {
  var card: Card {
    switch self {
    case .row(let card): card
    case .more(let shelf, let count): .more(count, of: shelf)
    }
  }

  static func number(_ id: AbridgedID<Shelf, Int>) -> Int {
    switch id {
    case .row(let id): id
    case .more(let shelf): Card.more(0, of: shelf).id
    }
  }

  static func id(_ number: Int) -> AbridgedID<Shelf, Int> {
    number < 0 ? .more(Shelf(-1 - number)) : .row(number)
  }
}

extension Card {
  /// The row that says how many rows of a shelf are left out.
  static func more(_ count: Int, of shelf: Shelf) -> Card {
    Card(id: -1 - shelf.number, rank: -1, text: count)
  }
}

extension PlainList {
  /// The first rows of each section, and how many there are more.
  func abridged(to count: Int) -> PlainList {
    var list = flat
    for (index, section) in list.sections.enumerated() {
      let more = section.rows.count - count
      list.sections[index].rows = Array(section.rows.prefix(count))
      guard more > 0 else { continue }
      let last = Card.more(more, of: section.shelf)
      list.sections[index].rows.append(Row(soul: last.id, card: last))
    }
    return list
  }
}

/// A batch, with rows of the world.
struct PlainBatch: CustomStringConvertible {
  let base: Revision?
  let target: Revision
  let difference: SnapshotDifference
  let previous: PlainList?
  let list: PlainList
  /// The old names of rows, and the new ones.
  let renames: [(old: Int, new: Int)]
  let models: [Int: Card]
  let removedItems: [Int]
  let headers: [Shelf: String]
  let removedHeaders: [Shelf]
  let description: String

  init<Model: PlainModel>(_ batch: ModelBatch<Shelf, Model>) {
    (base, target, difference) = (batch.base, batch.target, batch.difference)
    previous = batch.previousSnapshot.map { PlainList($0, of: Model.self) }
    list = PlainList(batch.snapshot, of: Model.self)
    renames = batch.update.renamedItems.map { (Model.number($0.old), Model.number($0.new)) }
    models = Dictionary(batch.models.map { (Model.number($0), $1.card) }) { $1 }
    removedItems = batch.removedItems.map(Model.number)
    (headers, removedHeaders) = (batch.sectionModels, Array(batch.removedSectionModels))
    description = "\(batch)"
  }
}

/// A stream of batches, whatever its rows are.
@MainActor
protocol Feed: AnyObject {
  /// The newest revision.
  var revision: Revision { get async }
  func next() async -> PlainBatch?
  /// Begins again with what has changed since a revision.
  func resubscribe(_ policy: UpdatePolicy, after revision: Revision?)
}

final class SourceFeed<Source: ListSource, Model: PlainModel>: Feed
where Source.Batch == ModelBatch<Shelf, Model> {
  private let source: Source
  private var stream: AsyncStream<Source.Batch>.Iterator

  init(_ source: Source) {
    self.source = source
    stream = source.updates().makeAsyncIterator()
  }

  var revision: Revision { get async { await source.revision } }

  func next() async -> PlainBatch? {
    var iterator = stream
    defer { stream = iterator }
    return await iterator.next(isolation: #isolation).map { PlainBatch($0) }
  }

  func resubscribe(_ policy: UpdatePolicy, after revision: Revision?) {
    let token = revision.map { source.token(for: $0) }
    stream = source.updates(policy, after: token).makeAsyncIterator()
  }
}
