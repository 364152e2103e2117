extension LayoutGroup {
  /// Describes a row: the subitems in turn, from left to right, for as many slots as fit.
  public static func horizontal(
    layoutSize: LayoutSize, subitems: [any LayoutSubitemConvertible]
  ) -> LayoutGroup {
    LayoutGroup(
      layoutSize: layoutSize, axis: .horizontal,
      arrangement: .cycle(subitems.map(\.layoutSubitem)))
  }

  /// Describes a column: the subitems in turn, from top to bottom, for as many slots as fit.
  public static func vertical(
    layoutSize: LayoutSize, subitems: [any LayoutSubitemConvertible]
  ) -> LayoutGroup {
    LayoutGroup(
      layoutSize: layoutSize, axis: .vertical,
      arrangement: .cycle(subitems.map(\.layoutSubitem)))
  }

  /// Describes a row of `count` slots of equal width, after subtracting the spacing.
  ///
  /// The width of the subitem is replaced by its share of the group.
  public static func horizontal(
    layoutSize: LayoutSize, subitem: some LayoutSubitemConvertible, count: Int
  ) -> LayoutGroup {
    LayoutGroup(
      layoutSize: layoutSize, axis: .horizontal,
      arrangement: .division(subitem.layoutSubitem, count: count))
  }

  /// Describes a column of `count` slots of equal height, after subtracting the spacing.
  ///
  /// The height of the subitem is replaced by its share of the group.
  public static func vertical(
    layoutSize: LayoutSize, subitem: some LayoutSubitemConvertible, count: Int
  ) -> LayoutGroup {
    LayoutGroup(
      layoutSize: layoutSize, axis: .vertical,
      arrangement: .division(subitem.layoutSubitem, count: count))
  }

  /// Describes a row of at most `count` slots of the subitem's own size.
  public static func horizontal(
    layoutSize: LayoutSize, repeatingSubitem subitem: some LayoutSubitemConvertible, count: Int
  ) -> LayoutGroup {
    LayoutGroup(
      layoutSize: layoutSize, axis: .horizontal,
      arrangement: .repetition(subitem.layoutSubitem, count: count))
  }

  /// Describes a column of at most `count` slots of the subitem's own size.
  public static func vertical(
    layoutSize: LayoutSize, repeatingSubitem subitem: some LayoutSubitemConvertible, count: Int
  ) -> LayoutGroup {
    LayoutGroup(
      layoutSize: layoutSize, axis: .vertical,
      arrangement: .repetition(subitem.layoutSubitem, count: count))
  }

  /// Describes a group whose frames a function returns.
  ///
  /// - Parameters:
  ///   - layoutSize: The size of the group. The frames may extend beyond it.
  ///   - id: The identity of this function. Two groups with equal identifiers are equal, so include
  ///     everything in it that the function captures.
  ///   - itemProvider: Returns the frames, relative to the top left corner of the group. It is
  ///     called once for each place in a description, each time that description is solved.
  public static func custom(
    layoutSize: LayoutSize, id: some Hashable & Sendable,
    itemProvider: @escaping @Sendable (LayoutEnvironment) -> [LayoutGroupCustomItem]
  ) -> LayoutGroup {
    LayoutGroup(
      layoutSize: layoutSize, axis: .vertical,
      arrangement: .custom(LayoutGroupItemProvider(id: id, items: itemProvider)))
  }
}
