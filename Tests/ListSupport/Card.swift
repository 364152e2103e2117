import Diffable

/// A row with content that can be told apart from its identifier.
package struct Card: RenamableModel, Equatable, Codable, Sendable {
  package private(set) var id: Int
  package var column: String
  package var text: String

  package init(id: Int, column: String = "a", text: String = "") {
    (self.id, self.column, self.text) = (id, column, text)
  }

  package mutating func rename(to id: Int) { self.id = id }
}
