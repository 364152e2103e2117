import Diffable
import Testing

/// The transitions that other libraries test, with their content.
@Suite struct ModelCaseTests {
  private struct Row: Identifiable, Equatable, Sendable {
    let id: String
    let section: String
    let content: String?

    /// The section that an item moves to is not its content.
    static func == (left: Row, right: Row) -> Bool {
      left.id == right.id && left.content == right.content
    }
  }

  @Test("Kept items whose content differs are reconfigured, in 337 transitions")
  func cases() async throws {
    let valid = try DifferenceCaseTests.cases.get().filter { $0.optimum != nil }
    #expect(valid.count == 337)
    var reconfigures = 0
    for example in valid {
      let source = ModelSource<String, Row>()
      let (old, new) = (rows(example.from), rows(example.to))
      try await source.apply(old, section: \.section, sections: example.from.map(\.id))
      let start = await source.snapshot
      let base = await source.revision
      try await source.apply(new, section: \.section, sections: example.to.map(\.id))
      let target = await source.revision
      let difference = try #require(await source.difference(from: base, to: target))

      let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.content) })
      var marked = Snapshot(example.to)
      try marked.reconfigureItems(
        new.filter { row in before[row.id].map { $0 != row.content } ?? false }.map(\.id))
      #expect(try difference == marked.difference(from: start), "\(example.name)")
      reconfigures += difference.itemReconfigures.count
    }
    #expect(reconfigures > 0)
  }

  private func rows(_ sections: [SectionCase]) -> [Row] {
    sections.flatMap { section in
      section.items.map { Row(id: $0.id, section: section.id, content: $0.content) }
    }
  }
}
