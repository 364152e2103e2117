/// Why the children of an item were not loaded, or why it was not expanded or collapsed.
///
/// If the provider has failed, the item is collapsed again.
public struct ChildrenError<ItemID: Hashable & Sendable>: Error {
  /// The item whose children were wanted.
  public let item: ItemID
  /// What happened.
  public let reason: Reason

  /// Why a request for children failed.
  public enum Reason: Sendable {
    /// The provider threw this.
    case provider(any Error)
    /// The provider returned children that are not valid in their place.
    case invalidChildren(SnapshotError)
    /// The source rejected the change.
    case source(DataSourceError)
    /// The item was collapsed or deleted in the meantime, or the waiting task was cancelled.
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
      case .cancelled: "They are no longer needed."
      }
    return "The children of “\(item)” were not loaded: \(fault)"
  }
}

extension ChildrenError.Reason {
  /// The error for something that an update threw.
  package static func of(_ error: any Error) -> Self {
    switch error {
    case let error as SnapshotError: .invalidChildren(error)
    case DataSourceError.invalidSnapshot(let error): .invalidChildren(error)
    case let error as DataSourceError: .source(error)
    default: .provider(error)
    }
  }
}
