#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import DiffableViews

/// Observes that a view is scrolled, or that the part of it that is visible gets another size.
@MainActor
final class ClipViewObserver {
  private weak var clipView: NSClipView?
  // It is written by the initializer only, and read by `deinit` only, when nothing else refers to it.
  nonisolated(unsafe) private var tokens: [any NSObjectProtocol] = []

  private init(_ clipView: NSClipView, _ report: @escaping @MainActor () -> Void) {
    self.clipView = clipView
    clipView.postsBoundsChangedNotifications = true
    clipView.postsFrameChangedNotifications = true
    tokens = [NSView.boundsDidChangeNotification, NSView.frameDidChangeNotification].map { name in
      NotificationCenter.default.addObserver(forName: name, object: clipView, queue: nil) { _ in
        // Views post on the main thread.
        MainActor.assumeIsolated { report() }
      }
    }
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }

  /// Observes the scroll view in which a view is now.
  static func follow(
    _ view: NSView, _ observer: inout ClipViewObserver?, _ report: @escaping @MainActor () -> Void
  ) {
    let clipView = view.enclosingScrollView?.contentView
    guard observer?.clipView !== clipView else { return }
    observer = clipView.map { ClipViewObserver($0, report) }
  }
}

extension ScrollState {
  /// Where a view is scrolled to from top to bottom.
  @MainActor init(of view: NSView) {
    let visible = view.enclosingScrollView?.contentView.bounds ?? view.visibleRect
    self.init(
      origin: Double(visible.minY), width: Double(visible.width), height: Double(visible.height),
      contentLength: Double(view.frame.height))
  }
}
#endif
