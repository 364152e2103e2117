/// The cells of the custom groups of a section.
enum CustomGroups {
  /// Asks every provider once for each description it occurs in.
  static func items(
    of groups: [LayoutGroup], environment: LayoutEnvironment
  ) throws(LayoutError) -> [LayoutGroup: [LayoutGroupCustomItem]] {
    var items: [LayoutGroup: [LayoutGroupCustomItem]] = [:]
    for (index, group) in groups.enumerated() {
      try collect(group, environment, into: &items, LayoutPart(.group(index)))
    }
    return items
  }

  private static func collect(
    _ group: LayoutGroup, _ environment: LayoutEnvironment,
    into items: inout [LayoutGroup: [LayoutGroupCustomItem]], _ part: LayoutPart
  ) throws(LayoutError) {
    let subitems: [LayoutSubitem]
    switch group.arrangement {
    case .cycle(let cycle): subitems = cycle
    case .division(let subitem, _), .repetition(let subitem, _): subitems = [subitem]
    case .custom(let provider):
      if items[group] != nil { return }
      let frames = provider.items(environment.told(to: group))
      guard frames.count <= LayoutError.maximumSlotCount else {
        throw LayoutError(.tooManySlots, at: part)
      }
      for (index, item) in frames.enumerated() where !item.frame.isFinite {
        throw LayoutError(.notFinite, at: part.appending(.customItem(index)))
      }
      items[group] = frames
      return
    }
    for (index, subitem) in subitems.enumerated() {
      if case .group(let nested) = subitem {
        try collect(nested, environment, into: &items, part.appending(.subitem(index)))
      }
    }
  }
}

extension LayoutEnvironment {
  /// The environment as a custom group is told it: its size resolved in the *whole* container, and
  /// its own insets, none when a dimension is estimated.
  fileprivate func told(to group: LayoutGroup) -> LayoutEnvironment {
    var environment = self
    environment.container = LayoutContainer(
      contentSize: group.layoutSize.resolved(
        in: container.contentSize, on: PixelGrid(scale: scale)),
      contentInsets: group.layoutSize.isEstimated ? .zero : group.contentInsets)
    return environment
  }
}
