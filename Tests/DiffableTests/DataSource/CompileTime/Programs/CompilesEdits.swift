// compiles
import Diffable

private struct Counts {
  var items = 0
}

private struct Findings {
  var items: [Int] = []
}

@MainActor private final class Model {
  var items = [1]

  func show(in source: DataSourceActor<String, Int>) async throws -> Int {
    try await source.apply(Snapshot())
    try await source.update { $0.appendSections(["list"]) }
    let items = items
    let revision = try await source.update { try $0.appendItems(items) }.revision
    let counts = try await source.update(presentation: .immediate) { snapshot in
      Counts(items: snapshot.numberOfItems)
    }.value
    var findings = try await source.update { snapshot -> Findings in
      var findings = Findings()
      findings.items = snapshot.itemIdentifiers
      return findings
    }.value
    findings.items += [revision.number]
    return counts.items + findings.items.count
  }
}

private func copyOutOfUpdate(_ source: DataSourceActor<String, Int>) async throws {
  try await source.update { snapshot in
    let copy = snapshot
    Task { print(copy) }
  }
}

extension DataSourceActor {
  func editThenRead() throws -> Int {
    try update { $0.deleteAllItems() }
    return snapshot.numberOfItems
  }
}

private func forward<R: Sendable>(
  to source: DataSourceActor<String, Int>,
  _ edit: sending (inout Snapshot<String, Int>) throws -> R
) async throws -> R {
  try await source.update(edit).value
}

private func store(
  _ edit: @escaping @Sendable (inout Snapshot<String, Int>) throws -> Void,
  in source: DataSourceActor<String, Int>
) async throws -> UndoableChange? {
  try await source.update(edit).change
}
