/// Why the children of an item were not loaded.
///
/// The item is collapsed then.
public struct ChildrenError<ItemID: Hashable & Sendable>: Error {
  /// The item whose children were wanted.
  public let item: ItemID
  /// What happened.
  public let reason: Reason

  /// What happened to a wish for children.
  public enum Reason: Sendable {
    /// The provider threw this.
    case provider(any Error)
    /// The provider answered children that cannot stand where they would.
    case invalidChildren(SnapshotError)
    /// The source refused the change.
    case source(DataSourceError)
    /// The item was collapsed or deleted in the meantime, or whoever waited was cancelled.
    case cancelled
  }

  /// Creates an error.
  public init(item: ItemID, reason: Reason) {
    self.item = item
    self.reason = reason
  }
}

extension ChildrenError: CustomStringConvertible {
  /// A sentence that says whose children were not loaded, and why.
  public var description: String {
    let fault =
      switch reason {
      case .provider(let error): "\(error)"
      case .invalidChildren(let error): error.description
      case .source(let error): "\(error)"
      case .cancelled: "Nobody waits for them any longer."
      }
    return "The children of “\(item)” were not loaded: \(fault)"
  }
}

extension ChildrenError.Reason {
  /// What an update threw.
  static func of(_ error: any Error) -> Self {
    switch error {
    case let error as SnapshotError: .invalidChildren(error)
    case DataSourceError.invalidSnapshot(let error): .invalidChildren(error)
    case let error as DataSourceError: .source(error)
    default: .provider(error)
    }
  }
}
