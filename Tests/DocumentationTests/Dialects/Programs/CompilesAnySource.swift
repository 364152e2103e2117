// compiles
import Diffable

func sink(_ item: Int, in source: some EditableListSource<String, Int>) async throws {
  try await source.updateOrder { order in
    guard let section = order.sectionIdentifier(containingItem: item) else { return }
    try order.moveItem(item, toSection: section)
  }
}

extension DataSourceActor {
  func editThenRead() throws -> Int {
    try update { $0.deleteAllItems() }
    return snapshot.numberOfItems
  }
}

final class Log {
  var lines: [String] = []

  func follow<Source: ListSource>(_ source: Source) async {
    for await batch in source.updates() { lines.append("\(batch.update.target)") }
  }

  func observe() -> DataSourceActor<String, Int> {
    DataSourceActor(
      options: SourceOptions(observer: { event in
        let line = "\(event)"
        Task { @MainActor in self.lines.append(line) }
      }),
      reordering: ReorderingHandlers(
        canReorder: { items, _, _ in items.count == 1 },
        didReorder: { transaction in
          Task { @MainActor in self.lines.append("\(transaction)") }
        }))
  }
}
