extension SolvedLayout {
  /// Checks the invariants of the type, if ``checksInvariants``.
  ///
  /// 1. The tree of section starts is sound, and has the summary of each section.
  /// 2. The content is as long as its sections and what surrounds them.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    starts._checkInvariants()
    precondition(starts.count == sections.count, "1: one start for each section")
    for (index, section) in sections.enumerated() {
      var again = section
      again.updateExtents()
      precondition(again.summary == section.summary, "1: summary of a section is up to date")
      precondition(starts[index] == section.summary, "1: summary of a section")
    }
    var copy = self
    copy.updateExtents()
    precondition(copy.extents == extents, "2: length of the content")
    #endif
  }
}
