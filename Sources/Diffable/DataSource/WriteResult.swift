/// What a write has done: the revision that has it, the change that it made, and what its edit returned.
///
/// Most writers ignore it. To take back exactly this write later, keep its ``change``:
///
/// ```swift
/// let write = try await list.update(named: "Like") { try $0.update(id) { $0.isLiked = true } }
/// …
/// try await list.revert(write.change)      // does nothing if the row was liked already
/// ```
public struct WriteResult<Value: Sendable>: Sendable {
  /// The revision that holds the state: a new one, or the live one if nothing changed.
  ///
  /// Use it to wait until the state is shown. The live one may be another writer's change.
  public let revision: Revision
  /// The change that the write made; `nil` if it changed nothing.
  public let change: UndoableChange?
  /// What the edit returned.
  public let value: Value

  package init(_ value: Value, at revision: Revision, _ change: UndoableChange?) {
    (self.value, self.revision, self.change) = (value, revision, change)
  }
}
