extension Outline {
  /// Checks the numbered invariants of the type, if the `InternalChecks` trait is on.
  package func _checkInvariants() {
    #if InternalChecks
    var previous: Int32 = -1
    var seen: Set<ItemID> = []
    forEachRow(in: 0..<rows.count) { row in
      precondition(row.level >= 0 && row.level <= previous + 1, "1: levels")
      precondition(seen.insert(row.id).inserted, "2: an item appears twice")
      previous = row.level
    }
    forEachRow { row, _, isHidden in
      precondition(row.isVisible != isHidden, "3: visibility")
    }
    precondition(table.count == rows.count, "2: entries of rows")
    for (place, item) in items.enumerated() {
      precondition(position(of: item) == place, "2: row is filed")
    }
    #endif
  }
}
