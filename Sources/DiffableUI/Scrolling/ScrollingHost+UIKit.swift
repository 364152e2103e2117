#if canImport(UIKit) && !os(watchOS)
import DiffableViews
import UIKit

/// An invisible view in a scroll view, which reports that the scroll view has laid out its rows.
///
/// It does so if the scroll view has got another size, which the view does not tell its delegate, and
/// if it was scrolled. By then rows that have come into sight are measured.
final class LayoutObserver: UIView {
  private var report: (() -> Void)?

  /// Adds an observer to a view, in place of that of a former host.
  convenience init(of view: UIScrollView, _ report: @escaping () -> Void) {
    self.init(frame: CGRect(origin: .zero, size: view.bounds.size))
    self.report = report
    autoresizingMask = [.flexibleWidth, .flexibleHeight]
    isHidden = true
    isUserInteractionEnabled = false
    for former in view.subviews where former is LayoutObserver { former.removeFromSuperview() }
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

extension ScrollState {
  /// Where a view is scrolled to.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - contentSize: The size of its content.
  ///   - isHorizontal: Whether it scrolls sideways.
  ///   - isMirrored: Whether a view that scrolls sideways shows its content from right to left.
  @MainActor init(
    of view: UIScrollView, contentSize: CGSize, isHorizontal: Bool = false,
    isMirrored: Bool = false
  ) {
    let inset = view.adjustedContentInset
    self.init(
      visible: view.bounds, contentSize: contentSize, isHorizontal: isHorizontal,
      isMirrored: isMirrored, sides: .init(start: Double(inset.left), end: Double(inset.right)),
      ends: .init(start: Double(inset.top), end: Double(inset.bottom)))
  }
}

extension ScrollingHost {
  /// Follows a scroll that the view has reported, when what has come into sight is laid out.
  func didScroll(_ observer: LayoutObserver?) {
    place.reportsScrolling = true
    noteScroll()
    observer?.setNeedsLayout()
  }

  /// Scrolls to an anchor.
  func scroll(_ view: UIScrollView, to anchor: ListAnchor, isAnimated: Bool) {
    view.layoutIfNeeded()
    guard takesStages, isAnimated, UIView.areAnimationsEnabled else { return keep(anchor) }
    guard let origin = beginScrolling(to: anchor) else { return }
    view.setContentOffset(scrollState.point(view.contentOffset, movedTo: origin), animated: true)
  }

  /// Ends an animated scroll where a view is now.
  func stopScrolling(_ view: UIScrollView) {
    view.setContentOffset(view.contentOffset, animated: false)
  }
}
#endif
