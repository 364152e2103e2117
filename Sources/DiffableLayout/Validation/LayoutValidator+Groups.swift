extension LayoutValidator {
  /// Checks a group and its contents.
  ///
  /// `taken` are the kinds of the section's boundary items, which are numbered from 0 too. `described` is
  /// the number of subitems so far. A description may hold one group many times, at each level again, so
  /// there can be far more of them than a program has made.
  static func validate(
    _ group: LayoutGroup, depth: Int, taken: Set<String>, described: inout Int, _ part: LayoutPart
  ) throws(LayoutError) {
    guard depth <= LayoutError.maximumDepth else { throw LayoutError(.tooDeep, at: part) }
    try validate(group.layoutSize, part)
    try finite(group.contentInsets, part.property("contentInsets"))
    try finite(group.interItemSpacing.minimum, part.property("interItemSpacing"))
    try validate(group.edgeSpacing, part)
    try validate(group.supplementaryItems, taken: taken, part)
    switch group.arrangement {
    case .cycle(let subitems):
      if subitems.isEmpty { throw LayoutError(.empty, at: part) }
      for (index, subitem) in subitems.enumerated() {
        try validate(
          subitem, depth: depth, taken: taken, described: &described,
          part.appending(.subitem(index)))
      }
    case .division(let subitem, let count), .repetition(let subitem, let count):
      if count < 1 { throw LayoutError(.countBelowOne(count), at: part.property("count")) }
      if count > LayoutError.maximumSlotCount {
        throw LayoutError(.tooManySlots, at: part.property("count"))
      }
      try validate(
        subitem, depth: depth, taken: taken, described: &described, part.appending(.subitem(0)))
    case .custom: break
    }
  }

  private static func validate(
    _ subitem: LayoutSubitem, depth: Int, taken: Set<String>, described: inout Int,
    _ part: LayoutPart
  ) throws(LayoutError) {
    described += 1
    guard described <= LayoutError.maximumSlotCount else {
      throw LayoutError(.tooManySlots, at: part)
    }
    switch subitem {
    case .group(let group):
      try validate(group, depth: depth + 1, taken: taken, described: &described, part)
    case .item(let item):
      try validate(item.layoutSize, part)
      try finite(item.contentInsets, part.property("contentInsets"))
      try validate(item.edgeSpacing, part)
      try validate(item.supplementaryItems, taken: taken, part)
    }
  }

  private static func validate(
    _ items: [LayoutSupplementaryItem], taken: Set<String>, _ part: LayoutPart
  ) throws(LayoutError) {
    var kinds = taken
    for item in items {
      let place = part.appending(.supplementaryItem(kind: item.elementKind))
      guard kinds.insert(item.elementKind).inserted else {
        throw LayoutError(.duplicateElementKind(item.elementKind), at: place)
      }
      try validate(item.layoutSize, place)
      try finite(item.contentInsets, place.property("contentInsets"))
      try validate(item.containerAnchor, place.property("containerAnchor"))
      if let anchor = item.itemAnchor { try validate(anchor, place.property("itemAnchor")) }
    }
  }

  /// Checks boundary items of a section or of the layout.
  static func validate(
    _ items: [LayoutBoundarySupplementaryItem], _ part: LayoutPart
  ) throws(LayoutError) {
    var kinds: Set<String> = []
    for item in items {
      let place = part.appending(.boundaryItem(kind: item.elementKind))
      guard kinds.insert(item.elementKind).inserted else {
        throw LayoutError(.duplicateElementKind(item.elementKind), at: place)
      }
      try validate(item.layoutSize, place)
      try finite(item.offset.x, place.property("offset"))
      try finite(item.offset.y, place.property("offset"))
      try finite(item.contentInsets, place.property("contentInsets"))
    }
  }
}
