import Diffable
import DiffableSync
import DiffableTesting
import Synchronization
import TestScope
import Testing

@Suite("Each law of logs is broken by a log that is wrong", .deadline) struct RevisionLogLawTests {
  typealias Law = RevisionLogLaw

  /// What is wrong with a log.
  enum Fault: Hashable, Sendable {
    case ownEpochs, lateEpoch, epochOfEntries
    /// What it says to an append.
    case saysYes, refuses, takesLate, takesEarly, takesStart, reversesGroups, swapsLast
    case takesSome, cutsDeltas
    /// Changes what it gives to readers that know so much, or to those who have appended nothing.
    case alters(from: Int)
    case altersForOthers, altersLongPages, losesAuthors, losesKinds
    case givesNothing, movesBase, beginsBefore, beginsNowhere, answersCancelled
    case wrongEnd, endOfEntries
    case inventsState, losesState, losesStateTwice, overwritesState, damagesState
    case ignoresBound, damagesOlderState, dropsNothing, dropsMore, neverCuts, isNeverComplete
  }

  struct Example: Sendable, CustomTestStringConvertible {
    let fault: Fault
    let law: Law
    let words: String

    init(_ fault: Fault, _ law: Law, _ words: String) {
      (self.fault, self.law, self.words) = (fault, law, words)
    }

    var testDescription: String { "\(fault), \(law)" }
  }

  static let examples = [
    Example(.ownEpochs, .epoch, "the number of epochs"),
    Example(.lateEpoch, .epoch, "the epoch later"),
    Example(.saysYes, .order, "the number of writers that made revision"),
    Example(.alters(from: 0), .order, "the entries are those of the writers"),
    Example(.reversesGroups, .groups, "without the one before it"),
    Example(.swapsLast, .groups, "a group was torn apart"),
    Example(.takesLate, .groups, "a late group was appended"),
    Example(.takesEarly, .groups, "an early group was appended"),
    Example(.takesSome, .groups, "and refused an entry there"),
    Example(.cutsDeltas, .groups, "large appends are as written"),
    Example(.refuses, .repetition, "and refused an entry there"),
    Example(.takesLate, .repetition, "which is not the end"),
    Example(.takesEarly, .repetition, "a revision that the log does not reach"),
    Example(.alters(from: 0), .repetition, "the entries: expected"),
    Example(.wrongEnd, .repetition, "the last revision"),
    Example(.losesAuthors, .pages, "the entries are as written"),
    Example(.losesKinds, .pages, "the entries are as written"),
    Example(.alters(from: 1), .pages, "the entries after 11 are as written"),
    Example(.altersForOthers, .pages, "and so they are for others"),
    Example(.givesNothing, .pages, "is empty"),
    Example(.movesBase, .pages, "a page has a gap after"),
    Example(.beginsNowhere, .pages, "a page has a gap after"),
    Example(.alters(from: 0), .waking, "the pages of readers"),
    Example(.movesBase, .knowing, "a page has a gap after what the reader knows"),
    Example(.beginsNowhere, .knowing, "a page has a gap after what the reader knows"),
    Example(.alters(from: 0), .knowing, "the page: expected"),
    Example(.beginsBefore, .knowing, "the next page begins after"),
    Example(.alters(from: 6), .knowing, "the first entry of the next page"),
    Example(.altersLongPages, .knowing, "the entries after 4"),
    Example(.answersCancelled, .cancellation, "a cancelled reader got an entry"),
    Example(.alters(from: 0), .cancellation, "the page of the other reader"),
    Example(.inventsState, .states, "the state of a new list"),
    Example(.losesState, .states, "the newest state: expected"),
    Example(.damagesState, .states, "the newest state: expected"),
    Example(.overwritesState, .states, "the newest state after an older one"),
    Example(.losesStateTwice, .states, "the newest state after the same one"),
    Example(.ignoresBound, .states, "before revision 0 there is no 1"),
    Example(.damagesOlderState, .states, "an older state: expected"),
    Example(.dropsNothing, .dropping, "what was dropped"),
    Example(.neverCuts, .dropping, "what was dropped"),
    Example(.dropsMore, .dropping, "the log was cut after"),
    Example(.alters(from: 0), .dropping, "the entries: expected"),
    Example(.alters(from: 6), .dropping, "the entries after 6"),
    Example(.losesState, .dropping, "the state: expected"),
    Example(.epochOfEntries, .dropping, "the epoch, later"),
    Example(.endOfEntries, .dropping, "the last revision, later"),
    Example(.isNeverComplete, .dropping, "nobody can start"),
    Example(.takesStart, .dropping, "where others were dropped"),
    Example(.alters(from: 10), .dropping, "the last entry"),
    Example(.losesState, .storing, "the state that was just stored is not there"),
    Example(.damagesState, .storing, "a whole state"),
  ]

  @Test(arguments: examples)
  func fault(_ example: Example) async throws {
    var scope = Law.Scope()
    (scope.writers, scope.revisions, scope.states) = (2, 12, [0, 1, 60])
    let (memory, shared) = (MemoryLog(), FaultyLog.Shared())
    let violation = await #expect(throws: LawViolation<Law>.self) {
      try await example.law.check(in: scope) {
        FaultyLog(base: memory.participant(), fault: example.fault, shared: shared)
      }
    }
    let explanation = violation?.explanation ?? ""
    #expect(violation?.law == example.law && explanation.contains(example.words), "\(explanation)")
    // A reader may still wait.
    let end = try await memory.participant().lastRevision() ?? .empty
    _ = try await memory.participant().append(LogEntry(id: WriteID(), delta: []), after: end)
  }

  @Test("A scope of nothing is the smallest one", arguments: Law.allCases, [[], [-1]])
  func smallest(_ law: Law, states: [Int]) async throws {
    var scope = Law.Scope()
    (scope.writers, scope.revisions, scope.states) = (0, -1, states)
    let log = MemoryLog()
    try await law.check(in: scope) { log.participant() }
  }

  @Test("All laws are checked, and those that are violated are returned", arguments: [false, true])
  func violations(isFaulty: Bool) async throws {
    var scope = Law.Scope()
    (scope.writers, scope.revisions, scope.states) = (2, 12, [0, 1, 60])
    let logs = Dictionary(uniqueKeysWithValues: Law.allCases.map { ($0, MemoryLog()) })
    let violations = try await Law.violations(in: scope) { law in
      let participant = try #require(logs[law]).participant()
      return isFaulty
        ? FaultyLog(base: participant, fault: .isNeverComplete, shared: FaultyLog.Shared())
        : participant
    }
    #expect(violations.map(\.law) == (isFaulty ? [.dropping] : []))
  }

  @Test("There is a fault for each law")
  func coverage() {
    #expect(Set(Self.examples.map(\.law)) == Set(Law.allCases))
  }
}

/// A log in memory with a fault.
private struct FaultyLog: RevisionLog {
  final class Shared: Sendable {
    let epochs = Atomic(0)
    let isStateLost = Atomic(false)
    let lastState = Mutex<StoredState?>(nil)
    let hasAppended = Atomic(false)
  }

  let base: MemoryLog.Participant
  let fault: RevisionLogLawTests.Fault
  let shared: Shared
  /// What one participant has done.
  private let own = Shared()

  init(base: MemoryLog.Participant, fault: RevisionLogLawTests.Fault, shared: Shared) {
    (self.base, self.fault, self.shared) = (base, fault, shared)
  }

  func epoch() async throws(RevisionLogError) -> Epoch {
    let number = shared.epochs.add(1, ordering: .relaxed).newValue
    if fault == .ownEpochs || fault == .lateEpoch && number > 8 { return Epoch() }
    if fault == .epochOfEntries, base.log.contents.entries.isEmpty, number > 1 { return Epoch() }
    return try await base.epoch()
  }

  /// Appends wherever the log ends.
  private func appendAnywhere(_ entries: [LogEntry]) async throws(RevisionLogError) -> Bool {
    while try await !base.append(entries, after: base.lastRevision() ?? .empty) {}
    return true
  }

  func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool {
    own.hasAppended.store(true, ordering: .relaxed)
    let end = try await base.lastRevision() ?? .empty
    switch fault {
    case .saysYes: return true
    case .refuses: return false
    case .takesLate where revision <= end: return try await appendAnywhere(entries)
    case .takesEarly where revision > end: return true
    case .takesStart where revision == .empty: return try await appendAnywhere(entries)
    case .reversesGroups: return try await base.append(entries.reversed(), after: revision)
    case .swapsLast where entries.count > 2:
      var entries = entries
      entries.swapAt(entries.count - 1, entries.count - 2)
      return try await base.append(entries, after: revision)
    case .takesSome: return try await base.append(Array(entries.prefix(100)), after: revision)
    case .cutsDeltas:
      let cut = entries.map { LogEntry(id: $0.id, delta: Array($0.delta.prefix(65_535))) }
      return try await base.append(cut, after: revision)
    default: return try await base.append(entries, after: revision)
    }
  }

  func entries(
    after known: @escaping @Sendable () -> Revision
  ) async throws(RevisionLogError) -> LogPage {
    if fault == .givesNothing { return .entries([], after: known()) }
    let page: LogPage
    do throws(RevisionLogError) {
      page = try await base.entries(after: known)
    } catch {
      guard fault == .answersCancelled, Task.isCancelled else { throw error }
      return .cut
    }
    let contents = base.log.contents
    guard case .entries(var entries, let start) = page else {
      guard fault == .neverCuts else { return page }
      return .entries(contents.entries, after: Revision(contents.first.number - 1))
    }
    let isAltered =
      switch fault {
      case .alters(let number): start.number >= number
      case .altersLongPages: entries.count > 2
      case .altersForOthers: start > .empty && !own.hasAppended.load(ordering: .relaxed)
      default: false
      }
    for index in entries.indices {
      if fault == .losesAuthors { entries[index].author = nil }
      if fault == .losesKinds { entries[index].kind = .change(name: nil) }
      if isAltered, index == 0 { entries[index].delta.append(0) }
    }
    if fault == .movesBase { return .entries(entries, after: Revision(start.number + 5)) }
    if fault == .beginsNowhere { return .entries(entries, after: Revision(.min)) }
    if fault == .beginsBefore, start >= contents.first {
      let former = contents.entries[start.number - contents.first.number]
      return .entries([former] + entries, after: Revision(start.number - 1))
    }
    return .entries(entries, after: start)
  }

  func lastRevision() async throws(RevisionLogError) -> Revision? {
    let end = try await base.lastRevision()
    if fault == .endOfEntries, base.log.contents.entries.isEmpty { return .empty }
    return fault == .wrongEnd ? end?.next : end
  }

  func isComplete() async throws(RevisionLogError) -> Bool { fault != .isNeverComplete }

  func state(before revision: Revision) async throws(RevisionLogError) -> StoredState? {
    if fault == .ignoresBound { return try await base.newestState() }
    var state = try await base.state(before: revision)
    if fault == .damagesOlderState, state?.reset.isEmpty == false { state?.reset[0] ^= 1 }
    return state
  }

  func newestState() async throws(RevisionLogError) -> StoredState? {
    let state = try await base.newestState()
    switch fault {
    case .losesState: return nil
    case .losesStateTwice: return shared.isStateLost.load(ordering: .relaxed) ? nil : state
    case .overwritesState: return shared.lastState.withLock { $0 }
    case .inventsState: return state ?? StoredState(revision: Revision(1), reset: [])
    case .damagesState:
      guard var state, !state.reset.isEmpty else { return state }
      state.reset[0] ^= 1
      return state
    default: return state
    }
  }

  func store(
    _ state: StoredState, droppingEntriesThrough revision: Revision
  ) async throws(RevisionLogError) {
    if try await base.newestState()?.revision == state.revision {
      shared.isStateLost.store(true, ordering: .relaxed)
    }
    shared.lastState.withLock { $0 = state }
    let through =
      switch fault {
      case .dropsNothing: Revision.empty
      case .dropsMore: revision.next
      default: revision
      }
    try await base.store(state, droppingEntriesThrough: through)
  }
}
