import Diffable
import DiffableTesting
import Testing

@Suite("Tables of edits that the field tests, with our answers where peers disagree")
struct SnapshotCaseTests {
  static let cases = Result {
    try fixture("snapshot", of: AnyCase.self).compactMap {
      if case .snapshot(let example) = $0 { example } else { nil }
    }
  }

  /// Cases where our contract differs from the peer's, by name.
  private static let ours: [String: Outcome] = [
    // Marks on unknown sections are an error, not ignored.
    "DiffableDataSources testReloadSections 2": .throwing("unknownSection"),
    "DiffableDataSources: reload an unknown section is ignored": .throwing("unknownSection"),
    // Unknown anchors are an error, not ignored.
    "ListKit source: insert items before an unknown item is silently ignored":
      .throwing("unknownItem"),
    "ListKit source: insert sections after an unknown section is silently ignored":
      .throwing("unknownSection"),
    // Moving something around itself changes nothing.
    "DiffableDataSources guard: move an item before itself": .unchanged,
    // Deleting all items removes the sections too.
    "DiffableDataSources testDeleteAllItems 3": .empty,
    "DiffableDataSources testDeleteAllItems 6": .empty,
  ]

  private enum Outcome {
    case throwing(String)
    case unchanged
    case empty
  }

  @Test("every case of a snapshot")
  func all() throws {
    let cases = try Self.cases.get()
    #expect(cases.count == 107)
    #expect(Set(Self.ours.keys).isSubset(of: cases.map(\.name)))
    for example in cases { try check(example) }
  }

  private func check(_ example: SnapshotCase) throws {
    var snapshot = example.startSnapshot
    let start = snapshot
    var thrown: SnapshotError?
    for operation in example.ops {
      let before = snapshot
      do throws(SnapshotError) {
        let edit = Result { try SnapshotEdit(operation, in: before) }
        guard case .success(let edit) = edit else {
          Issue.record("\(example.name): \(operation)")
          return
        }
        try edit.apply(to: &snapshot)
      } catch {
        thrown = error
        #expect(snapshot == before, "\(example.name): an edit that throws changes nothing")
      }
    }
    if let ours = Self.ours[example.name] {
      switch ours {
      case .throwing(let code): #expect(thrown?.code == code, "\(example.name)")
      case .unchanged: #expect(thrown == nil && snapshot == start, "\(example.name)")
      case .empty: #expect(thrown == nil && snapshot == Snapshot(), "\(example.name)")
      }
    } else if let duplicate = example.duplicateError {
      #expect(thrown == nil, "\(example.name): duplicates are found later")
      let error = #expect(throws: SnapshotError.self, "\(example.name)") {
        try snapshot.validate()
      }
      #expect(error?.code == duplicate, "\(example.name)")
    } else if let code = example.error {
      #expect(thrown?.code == code, "\(example.name)")
    } else {
      #expect(thrown == nil, "\(example.name)")
      try checkResult(snapshot, of: example)
    }
  }

  private func checkResult(
    _ snapshot: Snapshot<String, String>, of example: SnapshotCase
  ) throws {
    try snapshot.validate()
    #expect(snapshot == Snapshot(try #require(example.expected)), "\(example.name)")
    for query in example.queries ?? [] {
      #expect(try snapshot.answer(query.query) == query.result, "\(example.name)")
    }
    if let marked = example.expectedReloadedItems {
      #expect(snapshot.reloadedItemIdentifiers == marked, "\(example.name)")
    }
    if let marked = example.expectedReconfiguredItems {
      #expect(snapshot.reconfiguredItemIdentifiers == marked, "\(example.name)")
    }
    if let marked = example.expectedReloadedSections {
      #expect(snapshot.reloadedSectionIdentifiers == marked, "\(example.name)")
    }
  }

  @Test("the policy that keeps the last place gives Apple's result of appending again")
  func keepLast() async throws {
    var checked = 0
    for example in try Self.cases.get() {
      guard case .sections(let expected) = example.moveExistingResult else { continue }
      var snapshot = example.startSnapshot
      for operation in example.ops {
        try SnapshotEdit(operation, in: snapshot).apply(to: &snapshot)
      }
      let source = DataSourceActor<String, String>(options: SourceOptions(duplicates: .keepLast))
      try await source.apply(snapshot)
      #expect(await source.snapshot == Snapshot(expected), "\(example.name)")
      checked += 1
    }
    #expect(checked == 5)
  }
}

extension SnapshotCase {
  /// The code of our error, where the edits make duplicates.
  fileprivate var duplicateError: String? {
    switch error ?? strictError {
    case "duplicateItem": "duplicateItems"
    case "duplicateSection": "duplicateSections"
    default: nil
    }
  }
}
