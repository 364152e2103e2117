/// Custom groups with what their providers have answered.
enum CustomGroups {
  /// Asks the provider of every custom group, once for each place where the group is described.
  ///
  /// The answers travel inside the descriptions: what divides a group among its subitems changes the
  /// size of a custom group, and with it what it could be looked up by.
  static func answered(
    _ groups: [LayoutGroup], environment: LayoutEnvironment
  ) throws(LayoutError) -> [LayoutGroup] {
    var answered = groups
    for index in answered.indices {
      try answer(&answered[index], environment, LayoutPart(.group(index)))
    }
    return answered
  }

  private static func answer(
    _ group: inout LayoutGroup, _ environment: LayoutEnvironment, _ part: LayoutPart
  ) throws(LayoutError) {
    switch group.arrangement {
    case .cycle(var subitems):
      for index in subitems.indices {
        try answer(&subitems[index], environment, part.appending(.subitem(index)))
      }
      group.arrangement = .cycle(subitems)
    case .division(var subitem, let count):
      try answer(&subitem, environment, part.appending(.subitem(0)))
      group.arrangement = .division(subitem, count: count)
    case .repetition(var subitem, let count):
      try answer(&subitem, environment, part.appending(.subitem(0)))
      group.arrangement = .repetition(subitem, count: count)
    case .custom(var provider):
      let items = provider.items(environment.told(to: group))
      guard items.count <= LayoutError.maximumSlotCount else {
        throw LayoutError(.tooManySlots, at: part)
      }
      for (index, item) in items.enumerated() where !item.frame.isFinite {
        throw LayoutError(.notFinite, at: part.appending(.customItem(index)))
      }
      provider.answer = items
      group.arrangement = .custom(provider)
    }
  }

  private static func answer(
    _ subitem: inout LayoutSubitem, _ environment: LayoutEnvironment, _ part: LayoutPart
  ) throws(LayoutError) {
    guard case .group(var group) = subitem else { return }
    try answer(&group, environment, part)
    subitem = .group(group)
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
