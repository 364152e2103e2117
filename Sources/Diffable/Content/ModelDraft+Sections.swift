extension ModelDraft {
  /// Appends sections without items, as ``Snapshot/appendSections(_:)`` does.
  ///
  /// All other edits of sections are in ``snapshot``.
  public mutating func appendSections(_ sections: some Sequence<SectionID>) {
    snapshot.appendSections(sections)
  }
}
