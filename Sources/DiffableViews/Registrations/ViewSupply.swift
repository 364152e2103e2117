import Diffable

/// The origin of a view for a path: the host's store, or the list view.
@MainActor
struct ViewSupply<Base: AnyObject> {
  enum Source {
    /// The host has one, or makes one.
    case host((ReuseKind, ItemPath) -> Base?)
    /// The view that the list view has, and its reuse identifier.
    case present(Base, reuseIdentifier: String?)
  }

  let source: Source

  /// The view that the list view has; `nil` if one has to be made.
  var presentView: Base? {
    if case .present(let view, _) = source { view } else { nil }
  }

  /// A view of a kind, with the type that its registration configures.
  func view<View: AnyObject>(
    of kind: ReuseKind, for path: ItemPath
  ) throws(ListError) -> View {
    let base: Base
    switch source {
    case .host(let dequeue):
      guard let view = dequeue(kind, path) else {
        throw .cannotMakeView(kind: kind.identifier)
      }
      base = view
    case .present(let view, let identifier):
      guard identifier == kind.identifier else {
        throw .wrongView(expected: kind.identifier, found: identifier ?? "\(type(of: view))")
      }
      base = view
    }
    guard let view = base as? View else {
      throw .wrongView(expected: "\(View.self)", found: "\(type(of: base))")
    }
    return view
  }
}
