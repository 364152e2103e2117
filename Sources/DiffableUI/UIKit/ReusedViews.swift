#if canImport(UIKit) && !os(watchOS)
import DiffableViews
import UIKit

/// What a host knows about the views that its list view makes and keeps.
///
/// UIKit expects one view for each request, and it must be the one that was dequeued meanwhile. So
/// if a provider dequeues a view and then fails, that view is the placeholder.
@MainActor
struct ReusedViews {
  /// The reuse identifier of placeholders that no provider has dequeued.
  static let placeholder = "DiffableUI.placeholder"

  private var kinds: Set<String> = []
  /// Not held: a view may be gone, and another one may have its address.
  private var placeholders: [ObjectIdentifier: Placeholder] = [:]
  private var dequeuedView: UIView?

  private struct Placeholder {
    weak var view: UIView?
  }

  /// Records a kind of views; `false` if it is known.
  mutating func register(_ kind: ReuseKind) -> Bool {
    kinds.insert(kind.identifier).inserted
  }

  /// Records a view that a provider has dequeued.
  mutating func dequeued(_ view: UIView) {
    placeholders[ObjectIdentifier(view)] = nil
    dequeuedView = view
  }

  /// Whether a view is a placeholder, because a provider returned none.
  func isPlaceholder(_ view: UIView) -> Bool {
    placeholders[ObjectIdentifier(view)]?.view === view
  }

  /// Forgets the view that was dequeued for the previous request.
  mutating func beginQuestion() { dequeuedView = nil }

  /// The view to show if a provider failed.
  mutating func placeholder<View: UIView>(or dequeue: () -> View) -> View {
    let view = dequeuedView as? View ?? dequeue()
    placeholders[ObjectIdentifier(view)] = Placeholder(view: view)
    dequeuedView = nil
    return view
  }
}
#endif
