package import Diffable
package import DiffableTesting

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

/// What changes a source of such rows at random: models, headers, lists and outlines.
package struct CodedRowChanges {
  package var generator: SnapshotGenerator<CodedHeader, Int>

  package init(seed: UInt64) {
    generator = SnapshotGenerator(seed: seed, section: { CodedHeader(number: $0) }, item: { $0 })
  }

  /// Makes a change, unless the source refuses it.
  package mutating func change(_ source: CodedRows) async {
    let edit = generator.anyEdit(of: await source.snapshot)
    let rows = (0..<200).map {
      CodedRow(id: $0, text: "\(generator.random.number(below: 30) / 28)")
    }
    let headers = (0..<20).map { _ in
      generator.random.chance(oneIn: 4) ? nil : "\(generator.random.number(below: 2))"
    }
    _ = try? await source.update { draft in
      try edit.apply(to: &draft.snapshot)
      draft.setModels(rows.filter { draft.snapshot.containsItem($0.id) })
      for section in draft.snapshot.sectionIdentifiers where section.number < headers.count {
        try draft.setSectionModel(headers[section.number], for: section)
      }
    }
  }
}
