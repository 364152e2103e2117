import Diffable
import DiffableTesting
import Foundation

/// Reads a list of cases from the test bundle.
func fixture<Case: Decodable>(_ name: String, of type: Case.Type) throws -> [Case] {
  let url = Bundle.module.bundleURL.appending(path: "Fixtures/\(name).json")
  return try JSONDecoder().decode([Case].self, from: Data(contentsOf: url))
}

/// A section as the cases write it: an item is an identifier, or an identifier with content.
struct SectionCase: Decodable, Sendable {
  let id: String
  let items: [Item]

  struct Item: Decodable, Sendable {
    let id: String
    let content: String?

    private enum Key: String, CodingKey { case id, content }

    init(from decoder: any Decoder) throws {
      if let id = try? decoder.singleValueContainer().decode(String.self) {
        self.id = id
        content = nil
      } else {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(String.self, forKey: .id)
        content = try container.decodeIfPresent(String.self, forKey: .content)
      }
    }
  }
}

extension Snapshot<String, String> {
  /// The sections and items, without their content.
  init(_ sections: [SectionCase]) {
    self.init(sections: sections.map(\.id), items: sections.map { $0.items.map(\.id) })
  }
}
