internal import Synchronization

/// The lookup table of a live state, for use by states of the history.
///
/// A delivered state has no table of its own. Most of its leaves are also leaves of the live state,
/// so an item is most likely where the live table says; the tree of the state confirms it. If the
/// state is the live one, an item that the table does not have is not in the state.
///
/// The source takes the table back while it edits it, so the table is never copied. Lookups in the
/// meantime work without it.
package final class LiveTable: Sendable {
  private struct Published {
    let table: ItemTable
    /// The order of sections that the table belongs to.
    let order: OrderTree
  }

  private let published = Lock<Published?>(nil)

  package init() {}

  /// Makes the table of an order of sections available.
  package func publish(_ table: ItemTable?, of order: OrderTree) {
    var table = table.map { Published(table: $0, order: order) }
    // The previous table is released outside the lock.
    published.withLock { swap(&$0, &table) }
  }

  /// Takes the table back; its owner is then the only holder.
  package func withdraw() {
    _ = published.withLock { $0.take() }
  }

  /// The entries of a hash, and whether they are exactly those of an order; `nil` during an edit.
  ///
  /// - Complexity: O(k) for k entries of the hash or of others in its way, expected O(1).
  package func entries(
    hash: UInt32, of order: OrderTree
  ) -> (entries: [IdentityTable.Entry], areExact: Bool)? {
    // No user code runs inside the lock.
    published.withLock { published in
      guard let published else { return nil }
      var entries: [IdentityTable.Entry] = []
      published.table.entries.forEachEntry(hash: hash) { entry in
        entries.append(entry)
        return true
      }
      return (entries, published.order.isIdentical(to: order))
    }
  }
}
