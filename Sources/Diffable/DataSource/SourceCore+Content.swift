extension SourceCore {
  /// Replaces the whole state by one that is made from the live content.
  ///
  /// - Parameter make: Makes content and order; code of the user may run in it.
  /// - Returns: The revision that holds the state: a new one, or the live one if nothing changed.
  func replace(
    presentation: Presentation, ifRevision expected: Revision?,
    _ make: (inout Content, DuplicatePolicy) throws(SnapshotError) -> Live.State
  ) throws(DataSourceError) -> Revision {
    try begin(ifRevision: expected)
    return try replaceBegun(presentation, make)
  }

  /// The same for a change that was opened.
  func replaceBegun(
    _ presentation: Presentation,
    _ make: (inout Content, DuplicatePolicy) throws(SnapshotError) -> Live.State
  ) throws(DataSourceError) -> Revision {
    try change(presentation) { (content) throws(SnapshotError) in
      let snapshot = try make(&content, duplicates)
      return try live.apply(snapshot, content: content, duplicates: duplicates)
    }
  }

  /// Changes content and leaves the order alone.
  ///
  /// - Returns: The revision that holds the content: a new one, or the live one if nothing changed.
  func setContent(
    presentation: Presentation, _ edit: (inout Content) throws(SnapshotError) -> Void
  ) throws(DataSourceError) -> Revision {
    try begin(ifRevision: nil)
    return try change(presentation) { (content) throws(SnapshotError) in
      try edit(&content)
      return live.setContent(content)
    }
  }

  /// Makes a change of which the live content is the beginning, and closes it.
  private func change(
    _ presentation: Presentation,
    _ commit: (inout Content) throws(SnapshotError) -> Live.Commit?
  ) throws(DataSourceError) -> Revision {
    let elapsed = hub.startTimer()
    var content = content
    let result: Live.Commit?
    do throws(SnapshotError) {
      result = try commit(&content)
    } catch {
      abandon(.invalidSnapshot(error))
      throw .invalidSnapshot(error)
    }
    return end(result, presentation, kind: .change(name: nil), named: nil, duration: elapsed())
  }
}
