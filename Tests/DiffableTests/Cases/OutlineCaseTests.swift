import Diffable
import DiffableTesting
import Testing

@Suite("Tables of outline edits that the field tests, with our answers where peers disagree")
struct OutlineCaseTests {
  @Test("every case of an outline")
  func all() throws {
    let cases = try fixture("snapshot", of: AnyCase.self).compactMap {
      if case .outline(let example) = $0 { example } else { nil }
    }
    #expect(cases.count == 23)
    for example in cases { try check(example) }
  }

  /// What we throw where a peer answers that an operation was refused.
  private func ourAnswer(to peer: String?, _ operation: String?) -> String? {
    switch (peer, operation) {
    case ("moveAroundItself", _): nil
    case ("unknownItem", "delete"): nil
    default: peer
    }
  }

  private func check(_ example: OutlineCase) throws {
    var snapshot = Snapshot<String, String>()
    snapshot.appendSections(["s"])
    try snapshot.setOutline(Outline(), forSection: "s")
    for (index, operation) in example.ops.enumerated() {
      let before = snapshot
      let expected = ourAnswer(to: example.opErrors?["\(index)"], operation.first?.text)
      do {
        try OutlineCase.perform(operation, on: &snapshot)
        #expect(expected == nil, "\(example.name): \(operation)")
      } catch let error as SnapshotError {
        #expect(error.code == expected, "\(example.name): \(operation)")
        #expect(snapshot == before, "\(example.name): an edit that throws changes nothing")
      }
    }
    try snapshot.validate()
    let outline = try #require(snapshot.outline(ofSection: "s"))
    let expected = example.expected
    expectEqual(outline.items, expected.items, example)
    expectEqual(outline.rootItems, expected.rootItems, example)
    expectEqual(outline.visibleItems, expected.visibleItems, example)
    expectEqual(snapshot.itemIdentifiers.count, expected.visibleCount, example)
    expectEqual(snapshot.reloadedItemIdentifiers, expected.pendingReloads, example)
    for (item, value) in expected.children ?? [:] {
      expectEqual(outline.children(of: item), value, example)
    }
    for (item, value) in expected.parent ?? [:] {
      #expect(outline.parent(of: item) == value, "\(example.name)")
    }
    for (item, value) in expected.indexInParent ?? [:] {
      let siblings = outline.parent(of: item).map(outline.children(of:)) ?? outline.rootItems
      expectEqual(siblings.firstIndex(of: item), value, example)
    }
    for (item, value) in expected.level ?? [:] {
      expectEqual(outline.level(of: item), value, example)
    }
    for (item, value) in expected.expanded ?? [:] {
      expectEqual(outline.isExpanded(item), value, example)
    }
    for (item, value) in expected.visible ?? [:] {
      expectEqual(outline.isVisible(item), value, example)
      expectEqual(snapshot.itemPath(for: item) != nil, value, example)
    }
    for (item, value) in expected.contains ?? [:] {
      expectEqual(outline.contains(item), value, example)
    }
  }

  private func expectEqual<Value: Equatable>(
    _ found: Value?, _ expected: Value?, _ example: OutlineCase
  ) {
    guard let expected else { return }
    #expect(found == expected, "\(example.name)")
  }
}
