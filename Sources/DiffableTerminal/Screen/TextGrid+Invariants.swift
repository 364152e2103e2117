import Diffable

extension TextGrid {
  /// Checks the invariants of the type, if ``checksInvariants``.
  ///
  /// 1. Every row has as many places as there are columns.
  /// 2. The place after a wide character, and no other, has no character.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    precondition(places.count == rows, "1: number of rows")
    for row in places {
      precondition(row.count == columns, "1: number of places")
      precondition(row.first?.character != nil || row.isEmpty, "2: first place of a row")
      for (index, place) in row.enumerated() {
        let hasSecondHalf = index + 1 < row.count && row[index + 1].character == nil
        precondition((place.character?.columnCount == 2) == hasSecondHalf, "2: wide character")
      }
    }
    #endif
  }
}
