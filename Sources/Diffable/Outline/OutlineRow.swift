/// A row of an outline: an item, its level, and its flags.
///
/// Two rows are equal if they are the same item.
package struct OutlineRow<ItemID: Hashable & Sendable>: Hashable, Sendable {
  package let id: ItemID
  var flags: RowFlags

  package init(
    id: ItemID, level: Int32, isExpanded: Bool = false, hasUnloadedChildren: Bool = false
  ) {
    self.id = id
    flags = RowFlags(
      level: level, isExpanded: isExpanded, hasUnloadedChildren: hasUnloadedChildren)
  }

  /// 0 for an item without a parent.
  package var level: Int32 {
    get { flags.level }
    set { flags.level = newValue }
  }
  package var isExpanded: Bool {
    get { flags.isExpanded }
    set { flags.isExpanded = newValue }
  }
  package var hasUnloadedChildren: Bool {
    get { flags.hasUnloadedChildren }
    set { flags.hasUnloadedChildren = newValue }
  }
  /// Whether all its ancestors are expanded; this follows from the rows before it.
  package internal(set) var isVisible: Bool {
    get { flags.isVisible }
    set { flags.isVisible = newValue }
  }

  package static func == (left: OutlineRow, right: OutlineRow) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Whether it is expanded but its children are not loaded.
  var isLoading: Bool { isExpanded && hasUnloadedChildren }

  /// Whether all properties of two rows are the same.
  package func isIdentical(to other: OutlineRow) -> Bool {
    level == other.level && flags.isFolded(as: other.flags) && id == other.id
  }
}

/// The properties of a row besides its item.
package struct RowFlags: Hashable, Sendable {
  package internal(set) var level: Int32
  var isExpanded: Bool
  package internal(set) var hasUnloadedChildren: Bool
  var isVisible = true

  /// Whether two rows are expanded alike, and their children loaded alike.
  package func isFolded(as other: RowFlags) -> Bool {
    isExpanded == other.isExpanded && hasUnloadedChildren == other.hasUnloadedChildren
  }
}

extension ElementKernel {
  /// The kernel of the rows of some items.
  static func rows<ItemID: Hashable & Sendable>(
    of type: ItemID.Type, _ items: ElementKernel
  ) -> ElementKernel {
    typealias Row = OutlineRow<ItemID>
    let (stride, place) = (MemoryLayout<Row>.stride, Row.flagsOffset)
    return ElementKernel(Row.self, identifiedBy: items) { first, count in
      var totals = Totals()
      for index in 0..<count {
        let flags = (first + index &* stride + place).load(as: RowFlags.self)
        totals.lowestLevel = min(totals.lowestLevel, flags.level)
        if flags.isVisible { totals.items += 1 }
        if flags.isExpanded && flags.hasUnloadedChildren { totals.isLoading = true }
      }
      return totals
    }
  }
}

extension OutlineRow {
  /// The offset of the flags in a row, in bytes.
  package static var flagsOffset: Int {
    guard let offset = MemoryLayout.offset(of: \OutlineRow.flags) else {
      preconditionFailure("a row stores its flags")
    }
    return offset
  }
}
