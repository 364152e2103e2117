#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import DiffableViews

/// Observes that a view is scrolled, or that the part of it that is visible gets another size.
@MainActor
final class ClipViewObserver {
  private weak var clipView: NSClipView?
  private weak var view: NSView?
  private let report: () -> Void
  // It is written by the initializer only, and read by `deinit` only, when nothing else refers to it.
  nonisolated(unsafe) private var tokens: [any NSObjectProtocol] = []
  /// Whether the view is laid out for what it has reported.
  private var isReporting = false

  private init(_ clipView: NSClipView, of view: NSView, _ report: @escaping () -> Void) {
    (self.clipView, self.view, self.report) = (clipView, view, report)
    clipView.postsBoundsChangedNotifications = true
    clipView.postsFrameChangedNotifications = true
    tokens = [NSView.boundsDidChangeNotification, NSView.frameDidChangeNotification].map { name in
      NotificationCenter.default.addObserver(forName: name, object: clipView, queue: nil) {
        [weak self] _ in
        // Views post on the main thread.
        MainActor.assumeIsolated { self?.follow() }
      }
    }
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }

  /// Lets the view lay out, and measure, what has come into sight, and reports that.
  private func follow() {
    guard !isReporting else { return }
    isReporting = true
    // The view itself learns of the change after this.
    view?.needsLayout = true
    view?.layoutSubtreeIfNeeded()
    isReporting = false
    report()
  }

  /// Observes the scroll view in which a view is now; returns whether there is one.
  static func follow(
    _ view: NSView, _ observer: inout ClipViewObserver?, _ report: @escaping () -> Void
  ) -> Bool {
    guard let clipView = view.enclosingScrollView?.contentView else {
      observer = nil
      return false
    }
    if observer?.clipView !== clipView {
      observer = ClipViewObserver(clipView, of: view, report)
    }
    return true
  }
}

extension ScrollState {
  /// Where a view is scrolled to from top to bottom.
  @MainActor init(of view: NSView) {
    let clipView = view.enclosingScrollView?.contentView
    let visible = clipView?.bounds ?? view.visibleRect
    // A clip view with insets is below the bars that cover it.
    let insets = clipView?.contentInsets ?? NSEdgeInsets()
    self.init(
      origin: Double(visible.minY), width: Double(visible.width), height: Double(visible.height),
      insets: .init(start: Double(insets.top), end: Double(insets.bottom)),
      contentLength: Double(view.frame.height))
  }
}
#endif
