import Diffable
import DiffableSync

extension MemoryLog {
  /// Drops all entries, as an operator can; states stay, and numbers go on.
  public func purge() {
    change { state in
      state.dropped = state.end
      state.entries = []
    }
  }

  /// Loses the last entries, as a server can that answers before it has stored them.
  ///
  /// - Returns: The number of entries that were lost.
  @discardableResult
  package func loseLast(_ count: Int) -> Int {
    change { state in
      let lost = min(count, state.entries.count)
      state.entries.removeLast(lost)
      return lost
    }
  }

  /// Appends something that no participant has written.
  package func addForeignMessage() {
    change { state in
      state.foreign += 1
      state.entries.append(LogEntry(id: WriteID(ofForeignMessage: state.foreign), delta: []))
    }
  }

  /// Changes the bytes of the newest state.
  package func damageNewestState() {
    change { state in
      guard let newest = state.states.popLast() else { return }
      state.states.append(StoredState(revision: newest.revision, reset: Array("{".utf8)))
    }
  }

  /// Deletes the stored states.
  package func deleteStates() {
    change { $0.states = [] }
  }
}
