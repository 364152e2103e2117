#if canImport(UIKit) && !os(watchOS)
import DiffableViews
import UIKit

/// What a host knows of the views that its list view makes and keeps.
///
/// UIKit wants one view for each that it asks for, and that must be the one that was dequeued
/// meanwhile. So where a provider dequeues a view and fails then, that view is the placeholder.
@MainActor
struct ReusedViews {
  /// What placeholders are registered as that no provider has dequeued.
  static let placeholder = "DiffableUI.placeholder"

  private var kinds: Set<String> = []
  private var placeholders: Set<ObjectIdentifier> = []
  private var dequeuedView: UIView?

  /// Takes note of a kind of views; `false` if it is known.
  mutating func register(_ kind: ReuseKind) -> Bool {
    kinds.insert(kind.identifier).inserted
  }

  /// Takes note of a view that a provider has dequeued.
  mutating func dequeued(_ view: UIView) {
    placeholders.remove(ObjectIdentifier(view))
    dequeuedView = view
  }

  /// Whether a view stands in for one that a provider did not give.
  func isPlaceholder(_ view: UIView) -> Bool {
    placeholders.contains(ObjectIdentifier(view))
  }

  /// Forgets the view that was dequeued for the question before.
  mutating func beginQuestion() { dequeuedView = nil }

  /// The view to show where a provider failed.
  mutating func placeholder<View: UIView>(or dequeue: () -> View) -> View {
    let view = dequeuedView as? View ?? dequeue()
    placeholders.insert(ObjectIdentifier(view))
    dequeuedView = nil
    return view
  }
}
#endif
