package import Diffable

/// The model that these tests keep beside the order.
package struct Note: Identifiable, Equatable, Sendable {
  package let id: Int
  package var folder = Folder(0)
  package var title = 0
  package var text = 0

  package init(id: Int, folder: Folder = Folder(0), title: Int = 0, text: Int = 0) {
    (self.id, self.folder, self.title, self.text) = (id, folder, title, text)
  }
}

extension Note: ChangeDescribing {
  package enum Field { case folder, title, text }

  package func change(since old: Note) -> Set<Field> {
    var fields: Set<Field> = []
    if folder != old.folder { fields.insert(.folder) }
    if title != old.title { fields.insert(.title) }
    if text != old.text { fields.insert(.text) }
    return fields
  }
}

/// A section that can have a model.
package struct Folder:
  ModelledSection, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible
{
  package typealias SectionModel = String
  package let number: Int

  package init(_ number: Int) { self.number = number }
  package init(integerLiteral number: Int) { self.number = number }

  package var description: String { "\(number)" }

  package static func < (left: Folder, right: Folder) -> Bool { left.number < right.number }
}

package typealias Notes = ModelSource<Folder, Note>

/// What a subscriber knows that looks at nothing but the batches.
package struct Keeper {
  package var revision: Revision?
  package var snapshot = Snapshot<Folder, Int>()
  package var models: [Int: Note] = [:]
  package var headers: [Folder: String] = [:]

  package init() {}

  /// Takes a batch over.
  ///
  /// - Returns: Whether it follows the one before.
  package mutating func take(_ batch: ModelBatch<Folder, Note>) -> Bool {
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
