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
