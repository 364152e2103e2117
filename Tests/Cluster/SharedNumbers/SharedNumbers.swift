public import Diffable
import DiffableNATS
public import DiffableSync
import Foundation

/// A list of numbers that several processes write.
public typealias SharedNumbers = ReplicatedSource<UpdateBatch<String, Int>>

extension SharedNumbers {
  /// Opens the list in a log.
  ///
  /// - Parameter revisionsPerState: The number of revisions after which the state is stored.
  public static func open(
    _ log: any RevisionLog, revisionsPerState: Int = ReplicationOptions().revisionsPerState
  ) async throws -> SharedNumbers {
    var options = ReplicationOptions()
    options.revisionsPerState = revisionsPerState
    options.tries = 10_000
    options.offers = 100
    options.timeLimit = .seconds(300)
    return try await open(log, options)
  }

  /// Opens the list in a log.
  ///
  /// - Parameter failure: Receives what the source reports.
  public static func open(
    _ log: any RevisionLog, _ options: ReplicationOptions,
    failure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) async throws -> SharedNumbers {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    var options = options
    options.failure = failure
    return try await SharedNumbers(log, options: options) {
      try $0.json { try Array(encoder.encode($0)) }
    } decode: {
      try decoder.decode(UpdateDelta<String, Int>.self, from: Data($0))
    }
  }

  /// Appends a number.
  public func add(_ number: Int) async throws {
    _ = try await update { draft in
      if draft.numberOfSections == 0 { draft.appendSections(["Numbers"]) }
      try draft.appendItems([number], toSection: "Numbers")
    }
  }

  /// The numbers as text, which is the same for the same list.
  public var digest: String {
    let sum = snapshot.itemIdentifiers.reduce(UInt64(14_695_981_039_346_656_037)) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    return "\(revision) \(snapshot.numberOfItems) \(sum)"
  }
}
