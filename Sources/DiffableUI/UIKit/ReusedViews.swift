#if canImport(UIKit) && !os(watchOS)
import Diffable
import DiffableViews
import UIKit

/// What a host knows about the views that its list view makes and keeps.
///
/// UIKit expects one view for each request, and it must be the one that was dequeued meanwhile. So
/// if a provider dequeues a view and then fails, that view is the placeholder.
@MainActor
final class ReusedViews {
  /// The reuse identifier of placeholders that no provider has dequeued.
  static let placeholder = "DiffableUI.placeholder"

  private var kinds: Set<String> = []
  /// Not held: a view may be gone, and another one may have its address.
  private var placeholders: [ObjectIdentifier: Placeholder] = [:]
  private var dequeuedView: UIView?
  /// The kind of the supplementary view that the list view asks for; `nil` if it asks for a cell.
  private(set) var askedKind: String?
  /// The cells that the view was given, the placeholders too, with the items that they were given for.
  private var given: [ObjectIdentifier: Given] = [:]

  private struct Placeholder {
    weak var view: UIView?
  }

  private struct Given {
    weak var cell: UIView?
    let item: AnyItemID?
  }

  /// Records a kind of views, and where a layout puts them; `false` if it is known.
  func register(_ kind: ReuseKind, for elementKind: String = "") -> Bool {
    kinds.insert(elementKind + " " + kind.identifier).inserted
  }

  /// Records a view that a provider has dequeued.
  func dequeued(_ view: UIView) {
    placeholders[ObjectIdentifier(view)] = nil
    dequeuedView = view
  }

  /// Whether a view is a placeholder, because a provider returned none.
  func isPlaceholder(_ view: UIView) -> Bool {
    placeholders[ObjectIdentifier(view)]?.view === view
  }

  /// Forgets the view that was dequeued for the previous request.
  ///
  /// - Parameter kind: The kind of the supplementary view that is requested; `nil` for a cell.
  func beginQuestion(for kind: String? = nil) { (dequeuedView, askedKind) = (nil, kind) }

  /// The view to show if a provider failed.
  func placeholder<View: UIView>(or dequeue: () -> View) -> View {
    let view = dequeuedView as? View ?? dequeue()
    placeholders[ObjectIdentifier(view)] = Placeholder(view: view)
    dequeuedView = nil
    return view
  }

  /// Records the cell that the view is given for an item.
  func give(_ cell: UIView, for item: AnyItemID?) {
    // What was there before is released when nothing is being changed.
    _ = given.updateValue(Given(cell: cell, item: item), forKey: ObjectIdentifier(cell))
  }

  /// The paths of the items for which the view was given cells, in order.
  ///
  /// Of some the view has none any more: their cells wait to be used again.
  ///
  /// - Complexity: O(c · log n) for c cells that the view has or keeps, and n items.
  func givenPaths(in content: (any ListContent)?) -> [ItemPath] {
    guard let content else { return [] }
    let all = given
    given = all.filter { $0.value.cell != nil }
    var paths: Set<ItemPath> = []
    for given in all.values {
      guard let cell = given.cell, let item = given.item,
        let path = content.itemPath(withIdentity: item)
      else { continue }
      // The batch may have renamed it, and is the last one to know its former name.
      give(cell, for: content.identity(ofItemAt: path))
      paths.insert(path)
    }
    return paths.sorted()
  }
}
#endif
