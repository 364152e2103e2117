package import StandInSupport

/// developer.apple.com/documentation/uikit/uiedgeinsets
public struct UIEdgeInsets: Sendable, Equatable {
  /// developer.apple.com/documentation/uikit/uiedgeinsets/top
  public var top: CGFloat
  /// developer.apple.com/documentation/uikit/uiedgeinsets/left
  public var left: CGFloat
  /// developer.apple.com/documentation/uikit/uiedgeinsets/bottom
  public var bottom: CGFloat
  /// developer.apple.com/documentation/uikit/uiedgeinsets/right
  public var right: CGFloat

  /// developer.apple.com/documentation/uikit/uiedgeinsets/init(top:left:bottom:right:)-6ff7
  public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }

  /// developer.apple.com/documentation/uikit/uiedgeinsets/zero
  public static let zero = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)
}

/// developer.apple.com/documentation/uikit/uiscrollviewdelegate
@MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
  /// developer.apple.com/documentation/uikit/uiscrollviewdelegate/scrollviewdidchangeadjustedcontentinset(_:)
  func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView)
  /// developer.apple.com/documentation/uikit/uiscrollviewdelegate/scrollviewdidscroll(_:)
  func scrollViewDidScroll(_ scrollView: UIScrollView)
  /// developer.apple.com/documentation/uikit/uiscrollviewdelegate/scrollviewwillbegindragging(_:)
  func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
  /// developer.apple.com/documentation/uikit/uiscrollviewdelegate/scrollviewdidendscrollinganimation(_:)
  func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
}

// Optional requirements.
extension UIScrollViewDelegate {
  public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) {}
  public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
  public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
  public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
}

/// developer.apple.com/documentation/uikit/uiscrollview
@MainActor open class UIScrollView: UIView {
  /// developer.apple.com/documentation/uikit/uiscrollview/contentoffset
  open var contentOffset: CGPoint {
    get { bounds.origin }
    set {
      scrollGoal = nil
      bounds.origin = newValue
    }
  }

  /// developer.apple.com/documentation/uikit/uiscrollview/setcontentoffset(_:animated:)
  open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
    guard animated, UIView.areAnimationsEnabled, window != nil else {
      self.contentOffset = contentOffset
      return
    }
    // A real view moves in the next frames.
    scrollGoal = contentOffset
  }

  // What tests set, and what they see of it.
  package var held = HeldItem()
  package var habits = StandInHabits.all
  package var batchUpdateCount = 0
  /// Whether a test says when updates end, and the completions that wait for that.
  package var holdsCompletions = false
  package var heldCompletions: [(Bool) -> Void] = []
  /// Where an animation leads that is under way.
  var scrollGoal: CGPoint?
  /// The delegate, whose type subclasses narrow.
  var scrollDelegate: (any UIScrollViewDelegate)? { nil }

  /// Moves on with an animated scroll: half of the way, or all of it.
  func animateScrolling(toEnd: Bool) {
    guard let goal = scrollGoal else { return }
    let offset = contentOffset
    let half = CGPoint(
      x: ((offset.x + goal.x) / 2).rounded(.down), y: ((offset.y + goal.y) / 2).rounded(.down))
    contentOffset = toEnd ? goal : half
    layoutIfNeeded()
    if toEnd {
      fitOffset()
      layoutIfNeeded()
      scrollDelegate?.scrollViewDidEndScrollingAnimation(self)
    } else {
      scrollGoal = goal
    }
  }

  /// developer.apple.com/documentation/uikit/uiscrollview/contentsize
  open var contentSize: CGSize = .zero

  /// developer.apple.com/documentation/uikit/uiscrollview/contentinset
  open var contentInset: UIEdgeInsets = .zero

  /// developer.apple.com/documentation/uikit/uiscrollview/adjustedcontentinset
  open var adjustedContentInset: UIEdgeInsets {
    UIEdgeInsets(
      top: contentInset.top + safeAreaInsets.top, left: contentInset.left,
      bottom: contentInset.bottom + safeAreaInsets.bottom, right: contentInset.right)
  }

  /// A real scroll view goes back to its content where that has become shorter.
  func fitOffset() {
    let inset = adjustedContentInset
    let longest = CGPoint(
      x: max(-inset.left, contentSize.width + inset.right - bounds.width),
      y: max(-inset.top, contentSize.height + inset.bottom - bounds.height))
    let offset = CGPoint(x: min(contentOffset.x, longest.x), y: min(contentOffset.y, longest.y))
    if offset != contentOffset { contentOffset = offset }
  }
}

/// developer.apple.com/documentation/corefoundation/cgaffinetransform
public struct CGAffineTransform: Sendable, Equatable {
  /// developer.apple.com/documentation/corefoundation/cgaffinetransform/a
  public var a: Double
  /// developer.apple.com/documentation/corefoundation/cgaffinetransform/b
  public var b: Double
  /// developer.apple.com/documentation/corefoundation/cgaffinetransform/c
  public var c: Double
  /// developer.apple.com/documentation/corefoundation/cgaffinetransform/d
  public var d: Double
  /// developer.apple.com/documentation/corefoundation/cgaffinetransform/tx
  public var tx: Double
  /// developer.apple.com/documentation/corefoundation/cgaffinetransform/ty
  public var ty: Double

  /// developer.apple.com/documentation/corefoundation/cgaffinetransform/init(a:b:c:d:tx:ty:)
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// developer.apple.com/documentation/corefoundation/cgaffinetransform/identity
  public static var identity: CGAffineTransform { .init(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }
}
