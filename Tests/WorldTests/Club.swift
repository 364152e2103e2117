@testable import Diffable
@testable import DiffableSync

/// The log that some servers share, and what is true at each of its revisions.
@MainActor
final class Club {
  /// What one entry of the log makes.
  struct Step {
    let entry: LogEntry
    let change: Change
    let kind: RevisionKind
    /// The server that has made it.
    let author: Int
  }

  private(set) var steps: [Step] = []
  var members = 0

  var end: Int { steps.count }

  func truth(_ revision: Int) -> PlainList {
    revision == 0 ? PlainList() : steps[revision - 1].change.after
  }

  func change(_ revision: Revision) -> Change { steps[revision.number - 1].change }

  /// Accepts an entry if nobody has been faster.
  func append(_ step: Step, after base: Int) -> Bool {
    guard base == end else { return false }
    steps.append(step)
    return true
  }
}
