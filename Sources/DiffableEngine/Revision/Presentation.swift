/// How a writer wants a change to be shown.
///
/// A batch that spans several revisions carries the strongest of their presentations: `.reset` is
/// stronger than `.inPlace`, then come `.animated` and `.immediate`.
public enum Presentation: String, Hashable, Codable, Sendable {
  /// Show the change at once, without animation.
  case immediate
  /// Animate the change.
  case animated
  /// Show the change at once, and leave the rows on the screen in place.
  ///
  /// Otherwise a list that is scrolled to its beginning shows what is inserted there.
  case inPlace
  /// Show the whole state from scratch: there is no difference.
  case reset
}

extension Presentation: Comparable {
  /// Orders presentations by strength, weakest first.
  public static func < (left: Presentation, right: Presentation) -> Bool {
    left.strength < right.strength
  }

  private var strength: Int {
    switch self {
    case .immediate: 0
    case .animated: 1
    case .inPlace: 2
    case .reset: 3
    }
  }
}

extension Presentation {
  /// Whether so many marks have piled up that showing the list from scratch is the smaller change.
  ///
  /// If there are more marks than the list has items, most of them are on items that no longer exist.
  /// No marks have to be kept for a reset.
  ///
  /// - Parameter weight: The approximate number of items.
  package static func isReset(byMarks count: Int, weight: Int) -> Bool { count > max(1024, weight) }
}
