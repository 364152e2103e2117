import Foundation

/// What a row of an app shows.
struct Model: Identifiable, Codable, Equatable, Sendable {
  let id: UUID
  var title: String
  var count: Int
}

extension [Model] {
  /// Models of identifiers, each with a title of its own.
  init(ids: [UUID]) {
    self.init(ids: ids, titles: ids.indices.map(Model.title(ofRow:)))
  }

  /// Models of identifiers, with titles that are there already.
  init(ids: [UUID], titles: [String]) {
    self = zip(ids, titles).map { Model(id: $0, title: $1, count: 0) }
  }
}

extension Model {
  /// Too long for a small string, as most titles are.
  static func title(ofRow row: Int) -> String {
    "The title of row \(row)"
  }
}
