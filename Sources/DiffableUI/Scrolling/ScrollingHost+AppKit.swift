#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import DiffableViews

/// Observes that a view is scrolled, or that the part of it that is visible gets another size.
@MainActor
final class ClipViewObserver {
  private weak var clipView: NSClipView?
  private weak var view: NSView?
  private let willLayOut: () -> Void
  private let report: () -> Void
  private let reportTouch: () -> Void
  // It is written by the initializer only, and read by `deinit` only, when nothing else refers to it.
  nonisolated(unsafe) private var tokens: [any NSObjectProtocol] = []
  /// Whether the view is laid out for what it has reported.
  private var isReporting = false

  private init(
    _ clipView: NSClipView, of view: NSView, _ willLayOut: @escaping () -> Void,
    _ report: @escaping () -> Void, _ reportTouch: @escaping () -> Void
  ) {
    (self.clipView, self.view) = (clipView, view)
    (self.willLayOut, self.report, self.reportTouch) = (willLayOut, report, reportTouch)
    clipView.postsBoundsChangedNotifications = true
    clipView.postsFrameChangedNotifications = true
    tokens = [NSView.boundsDidChangeNotification, NSView.frameDidChangeNotification].map { name in
      NotificationCenter.default.addObserver(forName: name, object: clipView, queue: nil) {
        [weak self] _ in
        // Views post on the main thread.
        MainActor.assumeIsolated { self?.follow() }
      }
    }
    tokens.append(
      NotificationCenter.default.addObserver(
        forName: NSScrollView.willStartLiveScrollNotification,
        object: clipView.enclosingScrollView, queue: nil
      ) { [weak self] _ in
        MainActor.assumeIsolated { self?.reportTouch() }
      })
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }

  /// Lets the view lay out, and measure, what has come into sight, and reports that.
  private func follow() {
    guard !isReporting else { return }
    isReporting = true
    willLayOut()
    // The view itself learns of the change after this.
    view?.needsLayout = true
    view?.layoutSubtreeIfNeeded()
    isReporting = false
    report()
  }

  /// Observes the scroll view in which a view is now; returns whether there is one.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - observer: The observer of the view.
  ///   - willLayOut: Called before what has come into sight is laid out.
  ///   - report: Called when the view has been scrolled or resized.
  ///   - reportTouch: Called when the user begins to scroll.
  static func follow(
    _ view: NSView, _ observer: inout ClipViewObserver?, willLayOut: @escaping () -> Void,
    report: @escaping () -> Void, reportTouch: @escaping () -> Void
  ) -> Bool {
    guard let clipView = view.enclosingScrollView?.contentView else {
      observer = nil
      return false
    }
    if observer?.clipView !== clipView {
      observer = ClipViewObserver(clipView, of: view, willLayOut, report, reportTouch)
    }
    return true
  }
}

/// The animated scroll of a clip view.
@MainActor
final class ClipViewAnimation {
  /// The clip view while it is animated.
  private weak var clipView: NSClipView?
  /// The number of the newest animation: an older one ends as well.
  private var number = 0

  /// Scrolls a clip view to an origin; the completion is called at the end, unless it was stopped.
  func scroll(
    _ clipView: NSClipView, to origin: NSPoint, completion: @escaping @MainActor () -> Void
  ) {
    number += 1
    let begun = number
    self.clipView = clipView
    NSAnimationContext.runAnimationGroup { _ in
      clipView.animator().setBoundsOrigin(origin)
    } completionHandler: { [weak self] in
      // Animations end on the main thread.
      MainActor.assumeIsolated {
        guard let self, self.number == begun, let clipView = self.clipView else { return }
        self.clipView = nil
        // Otherwise the scrollers stay where they were.
        clipView.enclosingScrollView?.reflectScrolledClipView(clipView)
        completion()
      }
    }
  }

  /// Leaves the clip view where it is.
  func stop() {
    guard let clipView else { return }
    self.clipView = nil
    // An animation without duration replaces the other one.
    NSAnimationContext.runAnimationGroup { context in
      context.duration = 0
      clipView.animator().setBoundsOrigin(clipView.bounds.origin)
    }
  }
}

extension ScrollingHost {
  /// Scrolls to an anchor.
  func scroll(
    _ view: NSView, to anchor: ListAnchor, isAnimated: Bool, _ animation: ClipViewAnimation
  ) {
    view.layoutSubtreeIfNeeded()
    guard takesStages, isAnimated, let clipView = view.enclosingScrollView?.contentView else {
      return keep(anchor)
    }
    guard let origin = beginScrolling(to: anchor) else { return }
    let point = scrollState.point(clipView.bounds.origin, movedTo: origin)
    animation.scroll(clipView, to: point) { [weak self] in self?.didEndScrollingAnimation() }
  }

  /// Lets the user interrupt an animated scroll.
  func willStartLiveScroll() {
    stopScrolling()
    willBeginDragging()
  }
}

extension ScrollState {
  /// Where a view is scrolled to.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - place: Where it was before; `nil` for a view that never scrolls sideways.
  ///   - isMirrored: Whether a row runs from right to left.
  @MainActor init(
    of view: NSView, after place: ScrolledPlace? = nil, isMirrored: () -> Bool = { false }
  ) {
    let clipView = view.enclosingScrollView?.contentView
    let visible = clipView?.bounds ?? view.visibleRect
    // A clip view with insets is below the bars that cover it.
    let insets = clipView?.contentInsets ?? NSEdgeInsets()
    let isHorizontal = place?.isHorizontal(view.frame.size, in: visible.size) ?? false
    self.init(
      visible: visible, contentSize: view.frame.size, isHorizontal: isHorizontal,
      isMirrored: isHorizontal && isMirrored(),
      sides: .init(start: Double(insets.left), end: Double(insets.right)),
      ends: .init(start: Double(insets.top), end: Double(insets.bottom)))
  }
}
#endif
