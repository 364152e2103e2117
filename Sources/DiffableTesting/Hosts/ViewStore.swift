import DiffableViews

/// The views of a simulated list, visible or not, by the identifiers with which they were dequeued.
@MainActor
struct ViewStore {
  private let makeView: (ReuseKind) -> AnyObject?
  private var free: [String: [AnyObject]] = [:]
  /// Holds every view that was ever made, so that no other object gets the same address.
  private var identifiers: [ObjectIdentifier: (view: AnyObject, identifier: String)] = [:]

  init(makeView: @escaping (ReuseKind) -> AnyObject?) {
    self.makeView = makeView
  }

  /// A free or new view; `nil` if there is no way to make one.
  mutating func view(of kind: ReuseKind) -> AnyObject? {
    if let view = free[kind.identifier]?.popLast() { return view }
    guard let view = kind.make?() ?? makeView(kind) else { return nil }
    identifiers[ObjectIdentifier(view)] = (view, kind.identifier)
    return view
  }

  /// Takes a view back.
  ///
  /// A view that was not made here is a placeholder and is dropped.
  mutating func put(_ view: AnyObject) {
    guard let identifier = identifier(of: view) else { return }
    free[identifier, default: []].append(view)
  }

  func identifier(of view: AnyObject) -> String? {
    identifiers[ObjectIdentifier(view)]?.identifier
  }
}
