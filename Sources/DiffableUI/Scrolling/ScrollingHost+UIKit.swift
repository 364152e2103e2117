#if canImport(UIKit) && !os(watchOS)
import DiffableViews
import UIKit

/// An invisible view in a scroll view, which reports that the scroll view has laid out its rows.
///
/// It does so if the scroll view has got another size, which the view does not tell its delegate, and
/// if it was scrolled. By then rows that have come into sight are measured.
final class LayoutObserver: UIView {
  private var report: (() -> Void)?

  /// Adds an observer to a view.
  convenience init(of view: UIScrollView, _ report: @escaping () -> Void) {
    self.init(frame: CGRect(origin: .zero, size: view.bounds.size))
    self.report = report
    autoresizingMask = [.flexibleWidth, .flexibleHeight]
    isHidden = true
    isUserInteractionEnabled = false
    view.addSubview(self)
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    report?()
  }

  /// Reports that the view has come into a window, or has left it.
  override func didMoveToWindow() {
    super.didMoveToWindow()
    setNeedsLayout()
  }
}

extension ScrollingHost {
  /// Follows a scroll that the view has reported, when what has come into sight is laid out.
  func didScroll(_ observer: LayoutObserver?) {
    place.reportsScrolling = true
    observer?.setNeedsLayout()
  }

  /// Scrolls to an anchor.
  ///
  /// An animated scroll leads to where the row is as far as its size and those before it are known.
  /// When it is over, the view scrolls to where the row really is.
  func scroll(_ view: UIScrollView, to anchor: ListAnchor, isAnimated: Bool) {
    view.layoutIfNeeded()
    guard takesStages, isAnimated, UIView.areAnimationsEnabled else { return keep(anchor) }
    place.viewport = currentViewport
    place.viewport.hold(anchor)
    let offset = settle(place.viewport.covered) - scrollState.insets.start
    guard abs(offset - scrollState.origin) > 0.5 else { return hold(anchor) }
    // Without reports nobody would say when the scroll is over.
    place.goal = place.reportsScrolling ? place.viewport.anchor : nil
    var origin = view.contentOffset
    if scrollState.isHorizontal { origin.x = CGFloat(offset) } else { origin.y = CGFloat(offset) }
    view.setContentOffset(origin, animated: true)
  }

  /// Ends an animated scroll at its goal.
  func didEndScrollingAnimation() {
    guard let anchor = place.goal else { return }
    hold(anchor)
  }

  /// Lets the user scroll away from the goal of an animated scroll.
  func willBeginDragging() {
    place.goal = nil
    follow()
  }
}
#endif
