#if NATS
import Diffable
public import DiffableSync
import Synchronization

/// What the operator should know and has not been told yet; each thing once.
final class Warnings: Sendable {
  private let state = Lock<(told: Set<RevisionLogWarning>, new: [RevisionLogWarning])>(([], []))

  func add(_ warning: RevisionLogWarning) {
    state.withLock { state in
      if state.told.insert(warning).inserted { state.new.append(warning) }
    }
  }

  func take() -> [RevisionLogWarning] {
    state.withLock { state in
      defer { state.new = [] }
      return state.new
    }
  }
}

extension RevisionLogWarning {
  static func damagedState(_ revision: Revision?, of list: String) -> RevisionLogWarning {
    let what = revision.map { "The state of \($0)" } ?? "A stored state"
    return RevisionLogWarning(
      "\(what) of the list “\(list)” is damaged: a part of it is missing or was changed. An older state "
        + "and the entries after it are used. The next stored state replaces it.")
  }

  static func oldServer(_ version: ServerVersion, at address: String) -> RevisionLogWarning {
    RevisionLogWarning(
      "The server \(address) has version \(version). Before \(ServerVersion.oldest) a cluster of NATS "
        + "can lose entries that it has acknowledged when servers end or stop: update it.")
  }
}

extension NATSRevisionLog {
  /// What is wrong with the servers or the streams although the log works: a damaged state, and a server
  /// before version 2.10.25, which can lose entries.
  ///
  /// - Returns: What is new since the last call.
  public func takeWarnings() -> [RevisionLogWarning] { warnings.take() }
}
#endif
