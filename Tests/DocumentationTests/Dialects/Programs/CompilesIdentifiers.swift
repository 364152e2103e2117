// compiles
import Diffable

nonisolated enum Shelf: Hashable {
  case read, unread
}

nonisolated struct BookID: Hashable {
  var number: Int
}

struct Book {
  let id: BookID
  var title: String
}

final class Library {
  let source = DataSourceActor<Shelf, BookID>()
  var books: [BookID: Book] = [:]

  func show() async throws -> Revision {
    var snapshot = Snapshot<Shelf, BookID>()
    snapshot.appendSections([.unread, .read])
    try snapshot.appendItems(books.keys.sorted { $0.number < $1.number }, toSection: .unread)
    return try await source.apply(snapshot, presentation: .immediate).revision
  }

  func finish(_ book: Book) async throws {
    let id = book.id
    books[id] = book
    try await source.update { snapshot in
      try snapshot.moveItem(id, toSection: .read)
      try snapshot.reconfigureItems([id])
    }
    source.enqueue(Snapshot())
    try await source.undo()
  }

  func log() async {
    var batches = source.updates(.every(limit: 8)).makeAsyncIterator()
    while let batch = await batches.next() {
      for path in batch.difference.itemInserts {
        if let id = batch.snapshot.itemIdentifier(for: path) { print(books[id]?.title ?? "") }
      }
      await source.delivered(batch.target)
    }
  }
}
