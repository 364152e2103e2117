extension Snapshot {
  /// The same state on the storage of another one; see
  /// ``UntypedSnapshot/adopted(by:keepingOutlines:)``.
  func adopted(by live: Snapshot, keepingOutlines keepsOutlines: Bool) -> Snapshot {
    Snapshot(
      base.adopted(by: live.base, keepingOutlines: keepsOutlines).snapshot, marks: marks)
  }
}
