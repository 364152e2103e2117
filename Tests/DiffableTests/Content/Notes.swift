import Diffable
import Synchronization

/// The model that these tests keep beside the order.
struct Note: Identifiable, Equatable, Sendable {
  let id: Int
  var folder = Folder(0)
  var title = 0
  var text = 0
}

extension Note: ChangeDescribing {
  enum Field { case folder, title, text }

  func change(since old: Note) -> Set<Field> {
    var fields: Set<Field> = []
    if folder != old.folder { fields.insert(.folder) }
    if title != old.title { fields.insert(.title) }
    if text != old.text { fields.insert(.text) }
    return fields
  }
}

/// A section that can have a model.
struct Folder: ModelledSection, ExpressibleByIntegerLiteral, CustomStringConvertible {
  typealias SectionModel = String
  let number: Int

  init(_ number: Int) { self.number = number }
  init(integerLiteral number: Int) { self.number = number }

  var description: String { "\(number)" }
}

typealias Notes = ModelSource<Folder, Note>

/// What a subscriber knows that looks at nothing but the batches.
struct Keeper {
  var revision: Revision?
  var snapshot = Snapshot<Folder, Int>()
  var models: [Int: Note] = [:]
  var headers: [Folder: String] = [:]

  /// Takes a batch over.
  ///
  /// - Returns: Whether it follows the one before.
  mutating func take(_ batch: ModelBatch<Folder, Note>) -> Bool {
    if batch.update.base == nil {
      (models, headers) = ([:], [:])
    } else if batch.update.base != revision {
      return false
    }
    for item in batch.removedItems { models[item] = nil }
    models.merge(batch.models) { _, new in new }
    for section in batch.removedSectionModels { headers[section] = nil }
    headers.merge(batch.sectionModels) { _, new in new }
    revision = batch.update.target
    snapshot = batch.update.snapshot
    return true
  }
}

/// How many values are alive.
final class PayloadCensus: Sendable {
  fileprivate let count = Atomic(0)

  var population: Int { count.load(ordering: .relaxed) }
}

/// A value that is counted as long as it lives.
final class Payload: Sendable {
  private let census: PayloadCensus

  init(_ census: PayloadCensus) {
    self.census = census
    census.count.add(1, ordering: .relaxed)
  }

  deinit { census.count.subtract(1, ordering: .relaxed) }
}
