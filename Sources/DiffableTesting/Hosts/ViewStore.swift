import DiffableViews

/// The views of a simulated list, on the screen or not, by what they were dequeued with.
@MainActor
struct ViewStore {
  private let makeView: (ReuseKind) -> AnyObject?
  private var free: [String: [AnyObject]] = [:]
  /// Holds every view that was ever made, so that no other object can take its place in memory.
  private var identifiers: [ObjectIdentifier: (view: AnyObject, identifier: String)] = [:]

  init(makeView: @escaping (ReuseKind) -> AnyObject?) {
    self.makeView = makeView
  }

  /// A view that is free, or a new one; `nil` if nobody says how to make one.
  mutating func view(of kind: ReuseKind) -> AnyObject? {
    if let view = free[kind.identifier]?.popLast() { return view }
    guard let view = kind.make?() ?? makeView(kind) else { return nil }
    identifiers[ObjectIdentifier(view)] = (view, kind.identifier)
    return view
  }

  /// Takes a view back.
  ///
  /// One that was not made here is a placeholder and is forgotten.
  mutating func put(_ view: AnyObject) {
    guard let identifier = identifier(of: view) else { return }
    free[identifier, default: []].append(view)
  }

  func identifier(of view: AnyObject) -> String? {
    identifiers[ObjectIdentifier(view)]?.identifier
  }
}
