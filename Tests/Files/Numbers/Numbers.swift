public import Diffable
public import DiffableSync
import Foundation

/// A list of numbers in a file.
public typealias Numbers = ReplicatedSource<UpdateBatch<String, Int>>

extension Numbers {
  /// Opens the list in a log.
  ///
  /// - Parameter failure: Receives what the source reports.
  public static func open(
    _ log: any RevisionLog, _ options: ReplicationOptions = ReplicationOptions(),
    failure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) async throws -> Numbers {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    var options = options
    options.failure = failure
    return try await Numbers(log, options: options) {
      try $0.json { try Array(encoder.encode($0)) }
    } decode: {
      try decoder.decode(UpdateDelta<String, Int>.self, from: Data($0))
    }
  }

  /// Appends a number.
  @discardableResult
  public func add(_ number: Int, named name: String? = nil) async throws -> Revision {
    try await update(named: name) { draft in
      if draft.numberOfSections == 0 { draft.appendSections(["Numbers"]) }
      try draft.appendItems([number], toSection: "Numbers")
    }.revision
  }

  /// The numbers of the list.
  public var numbers: [Int] { snapshot.itemIdentifiers }
}
