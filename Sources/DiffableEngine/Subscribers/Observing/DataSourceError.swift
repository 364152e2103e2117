/// Why a data source rejected a change.
///
/// The source is unchanged when one is thrown.
public enum DataSourceError: Error, Hashable, Sendable {
  /// The snapshot, or the result of an update, is not valid.
  case invalidSnapshot(SnapshotError)
  /// Another writer changed the source after the revision that this writer had seen.
  case conflict(expected: Revision, actual: Revision)
  /// The history does not have, or no longer has, the revision that a change is based on.
  case unknownRevision(Revision)
  /// The task that requested the change was cancelled before the change began.
  case cancelled
  /// A change was requested from inside an `update` of the same source.
  case reentrant
  /// The source has finished.
  case finished
  /// A source was to follow itself, directly or through other sources.
  case followsItself
  /// The edit has thrown an error of its own, or the source could not make the change for a reason
  /// of its own, such as a log that does not answer.
  case failed(ChangeFailure)
}

/// An error of another type that has prevented a change.
public struct ChangeFailure: Error, Hashable, CustomStringConvertible {
  /// The error.
  public let error: any Error

  /// What the error says.
  public var description: String { String(describing: error) }

  /// Two failures are equal if they say the same.
  public static func == (one: Self, other: Self) -> Bool { one.description == other.description }

  /// Hashes what the error says.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension DataSourceError {
  /// The error of a source for something that a change has thrown.
  package static func of(_ error: any Error) -> Self {
    switch error {
    case let error as DataSourceError: error
    case let error as SnapshotError: .invalidSnapshot(error)
    default: .failed(ChangeFailure(error: error))
    }
  }
}

/// The result of something that may find a snapshot invalid.
package func checked<Result>(
  _ body: () throws(SnapshotError) -> Result
) throws(DataSourceError) -> Result {
  do throws(SnapshotError) {
    return try body()
  } catch {
    throw .invalidSnapshot(error)
  }
}

extension DataSourceError: CustomStringConvertible {
  /// Says what was wrong, where, that the source is unchanged, and what to do.
  public var description: String {
    switch self {
    case .invalidSnapshot(let error):
      error.description
    case .conflict(let expected, let actual):
      "The change was meant for revision \(expected.number), but the source is at revision "
        + "\(actual.number). Nothing was changed. Make the change again for the live state, or use "
        + "update, which no other writer can interrupt."
    case .unknownRevision(let revision):
      "The change is based on revision \(revision.number), which is not in the history. "
        + "Nothing was changed. Start from the live state, or keep a longer history."
    case .cancelled:
      "The task was cancelled before its change began. Nothing was changed."
    case .reentrant:
      "A change was requested from inside an update of the same source. "
        + "Nothing was changed by it. Edit the draft that the update passes to its closure."
    case .finished:
      "The data source has finished and accepts no more changes. Nothing was changed. "
        + "Make a new source, or finish this one later."
    case .followsItself:
      "The source would follow itself, directly or through sources that follow it. "
        + "Nothing was changed. Choose a base that is not derived from this source."
    case .failed(let failure):
      failure.description
    }
  }
}
