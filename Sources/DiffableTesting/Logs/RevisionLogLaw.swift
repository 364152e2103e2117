import Diffable
public import DiffableSync

/// The laws of shared logs.
///
/// Check a log of your own. Each law needs a new list, and several participants of it:
///
/// ```swift
/// @Test(arguments: RevisionLogLaw.allCases)
/// func law(_ law: RevisionLogLaw) async throws {
///   let file = try TemporaryFile()
///   try await law.check { try FileLog(file.path) }    // throws the first violation of this law
/// }
/// ```
///
/// ``violations(in:_:)`` checks all laws, and returns what each of them finds.
public enum RevisionLogLaw: String, CaseIterable, Hashable, Sendable {
  /// All participants get one epoch, however many of them are first at once.
  case epoch
  /// One of many writers makes each revision, and all participants read the same entries.
  case order
  /// Entries that are appended at once follow each other: the log has all of them or none, however many.
  case groups
  /// An entry is appended once, however often it is offered.
  case repetition
  /// Pages have no gap, wherever reading starts, and entries come back as they were.
  case pages
  /// Participants that wait are woken by an entry.
  case waking
  /// What a participant knows may grow while it waits.
  case knowing
  /// A cancelled task ends, and others go on.
  case cancellation
  /// The newest stored state counts, and one before a revision is older than that.
  case states
  /// Entries that were dropped are cut, the others stay, and so do the end of the log and its epoch.
  case dropping
  /// States may be stored at once; afterwards the newest one is there.
  case storing
}

extension RevisionLogLaw {
  /// How much a check does.
  public struct Scope: Hashable, Sendable {
    /// The number of participants that write at once; less than 1 means 1.
    public var writers = 4
    /// The number of revisions that they make, and of entries that are read in pages; less than 1 means 1.
    public var revisions = 100
    /// The sizes of the states, in bytes; less than 0 means 0.
    public var states = [0, 1, 300_000, 1 << 16]

    /// The default scope.
    public init() {}

    /// What the numbers mean.
    fileprivate var clamped: Scope {
      var scope = self
      (scope.writers, scope.revisions) = (max(1, writers), max(1, revisions))
      scope.states = states.map { max(0, $0) }
      return scope
    }
  }

  /// Checks a log, and throws the first violation.
  ///
  /// A log that never answers or never wakes a reader lets this wait until the task is cancelled.
  ///
  /// - Parameters:
  ///   - scope: How much the check does.
  ///   - makeLog: Makes one more participant's log of the same list, which is new.
  /// - Throws: ``LawViolation``, and what `makeLog` and the log throw.
  public func check(
    in scope: Scope = Scope(), _ makeLog: @escaping @Sendable () throws -> any RevisionLog
  ) async throws {
    let check = RevisionLogCheck(law: self, scope: scope.clamped, makeLog: makeLog)
    switch self {
    case .epoch: try await check.participantsAgreeOnTheEpoch()
    case .order: try await check.oneOfManyMakesEachRevision()
    case .groups: try await check.groupsStayTogether()
    case .repetition: try await check.anEntryIsAppendedOnce()
    case .pages: try await check.pagesHaveNoGap()
    case .waking: try await check.aReaderIsWokenByAnEntry()
    case .knowing: try await check.aReaderMayKnowEntries()
    case .cancellation: try await check.aCancelledTaskEnds()
    case .states: try await check.theNewestStateCounts()
    case .dropping: try await check.droppedEntriesAreCut()
    case .storing: try await check.statesStoredAtOnce()
    }
  }

  /// Checks every law of a log, each with a list of its own.
  ///
  /// A log that never answers or never wakes a reader lets this wait until the task is cancelled.
  ///
  /// - Parameters:
  ///   - scope: How much the check of a law does.
  ///   - makeLog: Makes one more participant's log of the list that a law is checked with. Each law has a
  ///     new list of its own.
  /// - Returns: The first violation of each law that is violated, in the order of the laws.
  /// - Throws: What `makeLog` and the log throw.
  public static func violations(
    in scope: Scope = Scope(),
    _ makeLog: @escaping @Sendable (RevisionLogLaw) throws -> any RevisionLog
  ) async throws -> [LawViolation<RevisionLogLaw>] {
    var violations: [LawViolation<RevisionLogLaw>] = []
    for law in allCases {
      do {
        try await law.check(in: scope) { try makeLog(law) }
      } catch let violation as LawViolation<RevisionLogLaw> {
        violations.append(violation)
      }
    }
    return violations
  }
}
