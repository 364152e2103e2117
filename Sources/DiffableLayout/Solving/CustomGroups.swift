/// Custom groups with the results of their providers.
enum CustomGroups {
  /// Calls the provider of every custom group, once for each place where the group is described.
  ///
  /// The results are stored in the descriptions: dividing a group among its subitems changes the
  /// size of a custom group, so the size cannot be a key for looking them up.
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
  /// The environment that the provider of a custom group receives.
  ///
  /// Its size is resolved in the *whole* container; its insets are its own, or none if a dimension
  /// is estimated.
  fileprivate func told(to group: LayoutGroup) -> LayoutEnvironment {
    var environment = self
    environment.container = LayoutContainer(
      contentSize: group.layoutSize.resolved(
        in: container.contentSize, on: PixelGrid(scale: scale)),
      contentInsets: group.layoutSize.isEstimated ? .zero : group.contentInsets)
    return environment
  }
}
