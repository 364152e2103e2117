internal import Synchronization

/// The lookup table of a live state, where states of the history can ask it.
///
/// A state that was handed out has no table of its own. What it is asked for is most likely where
/// the live table says, as most leaves of both are the same: the tree of the state then confirms
/// it. If the state is the live one, what the table does not know is not there.
///
/// The source takes the table back while it edits it, and so nothing is ever copied. Questions that
/// come meanwhile are answered in another way.
final class LiveTable: Sendable {
  private struct Published {
    let entries: IdentityTable
    /// The order of sections of which it is the table.
    let order: OrderTree
  }

  private let published = Mutex<Published?>(nil)

  /// Lets others ask the table of a state.
  func publish(_ state: UntypedSnapshot) {
    var table = state.itemTable.map { Published(entries: $0.entries, order: state.order) }
    // What was there is released outside of the lock.
    published.withLock { swap(&$0, &table) }
  }

  /// Takes the table back: its owner alone holds it then.
  func withdraw() {
    _ = published.withLock { $0.take() }
  }

  /// The entries of a hash, unless the source edits the table, and whether they are exactly those of an
  /// order.
  ///
  /// - Complexity: O(k) for k entries of the hash or of others in its way, expected O(1).
  func entries(
    hash: UInt32, of order: OrderTree
  ) -> (entries: [IdentityTable.Entry], areExact: Bool)? {
    // Nothing of the user's runs inside of the lock.
    published.withLock { published in
      guard let published else { return nil }
      var entries: [IdentityTable.Entry] = []
      published.entries.forEachEntry(hash: hash) { entry in
        entries.append(entry)
        return true
      }
      return (entries, published.order.isIdentical(to: order))
    }
  }
}
