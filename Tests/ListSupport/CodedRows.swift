package import Diffable

/// A model that can be written.
package struct CodedRow: Identifiable, Codable, Equatable, Sendable {
  package let id: Int
  package var text = ""

  package init(id: Int, text: String = "") {
    (self.id, self.text) = (id, text)
  }
}

/// A section that can be written, and has a model.
package struct CodedHeader: ModelledSection, Codable, CustomStringConvertible {
  package typealias SectionModel = String
  package let number: Int

  package init(number: Int) {
    self.number = number
  }

  package var description: String { "\(number)" }
}

package typealias CodedRows = ModelSource<CodedHeader, CodedRow>
