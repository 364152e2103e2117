public import DiffableViews

extension DiffableDataSource {
  /// Scrolls so that an item is at a place on the screen.
  ///
  /// The view measures what comes into view, so the item is at its place even if it was never on the
  /// screen before. A view that is still empty opens at this item, if the next state with items has
  /// it: call this before the first `apply`.
  ///
  /// - Parameters:
  ///   - itemIdentifier: The item.
  ///   - position: Where in the visible part it is to be. By default the view scrolls the minimum
  ///     distance.
  ///   - animated: Whether to animate the scrolling.
  /// - Returns: Whether the item is on display. Otherwise nothing is scrolled.
  /// - Complexity: O(log n) for n items, given a good hash, and the cost of showing a screen.
  @discardableResult
  public func scroll(
    to itemIdentifier: ItemIdentifierType, at position: ListScrollPosition = .nearest,
    animated: Bool = true
  ) -> Bool {
    controller.scroll(to: itemIdentifier, at: position, isAnimated: animated)
  }

  /// Scrolls to the beginning or the end of the list.
  ///
  /// - Parameters:
  ///   - end: The end.
  ///   - animated: Whether to animate the scrolling.
  public func scroll(to end: ListEnd, animated: Bool = true) {
    controller.scroll(to: end, isAnimated: animated)
  }

  /// Whether a list that is scrolled to its end stays there, as chats do; `false` at first.
  public var sticksToEnd: Bool {
    get { controller.sticksToEnd }
    set { controller.sticksToEnd = newValue }
  }
}
