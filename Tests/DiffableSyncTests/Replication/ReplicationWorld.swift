@testable import Diffable
@testable import DiffableSync

/// Some participants, a log and everything between them, without concurrency.
///
/// The lists and the rules of offers are the real ones. An event happens when the test says so, so
/// every order of events is a test. A participant that is cut off is one whose events do not happen.
final class ReplicationWorld {
  typealias List = ReplicatedList<UpdateBatch<Int, Int>>
  typealias State = Snapshot<Int, Int>

  /// What can happen next.
  enum Event: Hashable {
    /// A participant begins its next write.
    case start(Int)
    /// A participant offers the writes that wait, as far as they share an append.
    case fill(Int)
    /// An offer arrives at the log.
    case arrive(Int)
    /// An answer arrives at a participant.
    case answer(Int)
    /// The next entry arrives at a participant, or a stored state if the entry was dropped.
    case receive(Int)
    /// Fault: an offer is lost.
    case loseOffer(Int)
    /// Fault: the answer for a participant is lost.
    case loseAnswer(Int)
    /// Fault: a participant gives up waiting for the answer of an offer that still arrives.
    case delay(Int)
    /// Fault: an offer arrives, and arrives again later.
    case duplicate(Int)
    /// Fault: a participant no longer wants to wait for one of its writes.
    case giveUp(Int, write: Int)
    /// A participant stores its state, and the log drops the entries before.
    case store(Int)
    /// Something goes wrong with the log itself.
    case mishap(Mishap)
    /// A participant is allowed to read again.
    case allow(Int)
    /// A participant that finds the log incomplete stores its state.
    case complete(Int)
    /// The time of the writes of a participant is over.
    case expire(Int)

    var isFault: Bool {
      switch self {
      case .start, .fill, .arrive, .answer, .receive, .allow, .complete, .expire: false
      default: true
      }
    }
  }

  /// What goes wrong with the log itself.
  enum Mishap: Hashable {
    /// An operator deletes all entries.
    case purge
    /// The log loses its last entry.
    case loseLast
    /// The log has something that no participant has written.
    case addForeign
    /// The newest state is damaged.
    case damageState
    /// The log rejects an offer.
    case refuse(Int)
    /// A participant is not allowed to read any more.
    case deny(Int)
  }

  /// What a write does; its meaning depends on the state that it meets.
  enum Edit: Hashable {
    case append
    case prepend
    case moveFirstToEnd
    case deleteFirst
  }

  /// An offer on its way to the log.
  struct Message: Hashable {
    let number: Int
    let participant: Int
    let entries: [LogEntry]
    let base: Revision
    /// Whether nobody waits for its answer.
    var isLate = false
  }

  /// A write of a participant, in its script.
  struct Write: Hashable {
    let index: Int
    /// The revisions that were in the log for certain when it began.
    let floor: Int
  }

  /// The append under way.
  struct Append: Hashable {
    let entries: [LogEntry]
    let base: Revision
    var offer = Offer(limit: 3)
    var isSent = false

    var first: WriteID { entries[0].id }
  }

  struct Result: Hashable {
    let index: Int
    let floor: Int
    let id: WriteID?
    /// The revision that it made; `nil` if it is known not to be in the log.
    let outcome: Offer.Outcome
    let revision: Revision
  }

  struct Participant {
    var list: List
    /// The one reference to it is that of the only world that has the list.
    var ownership = Ownership()
    let edits: [Edit]
    var next = 0
    var writes = SharedWrites<Write>()
    var append: Append?
    /// The number of tries of all writes, for names that differ.
    var tries = 0
    var results: [Result] = []
    /// Whether it is not allowed to read.
    var isDenied = false
    /// Whether it has stopped because its history is not that of the log.
    var isForked = false

    var isOver: Bool { isDenied || isForked }
  }

  /// Tells whether copies of a world still share a list.
  final class Ownership {}

  /// Whether a participant may begin a write while others of it wait.
  let isShared: Bool
  let deltas: DeltaTable
  var participants: [Participant] = []
  var entries: [LogEntry] = []
  var dropped = 0
  /// The newest two states, newest last.
  var states: [StoredState] = []
  var stored: StoredState? { states.last }
  var messages: [Message] = []
  var answers: [Int: Offer.Answer] = [:]
  var lastMessage = 0
  var faults: Int
  var stores: Int
  /// Every entry that is in the log, those that were dropped included.
  var journal: [LogEntry] = []
  /// The writes that the log has lost.
  var lostByLog: Set<WriteID> = []
  /// Whether the log itself may go wrong.
  var hasMishaps = false
  /// What goes wrong with the log itself; each of them once.
  var mishaps: [Mishap] = []
  /// What a participant has shown under each token.
  var published: [ResumeToken: [Int]] = [:]
  /// A token that has stood for two lists.
  var ambiguous: ResumeToken?
  /// A participant that has followed an entry without being on the history of the log.
  var misled: Int?
  /// The last message of a stranger; writes have smaller numbers.
  var foreign: UInt64 = 1 << 32
  /// What each entry does, for the states that are to be expected.
  var meanings: [WriteID: Meaning] = [:]

  struct Meaning {
    let edit: Edit
    let item: Int
    let tries: Int
    /// Where its writer has seen the log end.
    let base: HistoryPlace
  }

  init(_ scripts: [[Edit]], faults: Int, stores: Int, isShared: Bool = false) {
    (self.faults, self.stores) = (faults, stores)
    self.isShared = isShared
    deltas = DeltaTable()
    participants = scripts.map { Participant(list: makeList(), edits: $0) }
  }

  /// A world in the same state.
  init(copying world: ReplicationWorld) {
    (isShared, deltas) = (world.isShared, world.deltas)
    (participants, entries, dropped) = (world.participants, world.entries, world.dropped)
    (states, messages, answers) = (world.states, world.messages, world.answers)
    (lastMessage, faults, stores) = (world.lastMessage, world.faults, world.stores)
    (journal, meanings) = (world.journal, world.meanings)
  }

  func makeList() -> List {
    let core = SourceCore<Int, Int>(
      SourceOptions(history: 2, epoch: Epoch(high: 1, low: 2)), kernels: State.makeKernels(),
      children: nil)
    return List(core, limits: DeltaLimits(), coder: deltas.coder)
  }

  var end: Int { dropped + entries.count }

  /// The item that a write of a participant inserts.
  func item(of participant: Int, _ index: Int) -> Int { participant * 1000 + index }
}

/// Deltas by number: what JSON does is tested elsewhere.
///
/// Equal deltas have the same number, so worlds without end can share a table.
final class DeltaTable: Sendable {
  private typealias Delta = UpdateDelta<Int, Int>

  /// What tells apart the deltas of lists that have no outlines and no renames.
  private struct Key: Hashable {
    let tokens: [ResumeToken?]
    let difference: SnapshotDifference
    let items: [[Int]]
  }

  private struct State {
    var deltas: [Delta] = []
    var numbers: [Key: Int] = [:]

    mutating func number(of delta: Delta) -> Int {
      let key = Key(
        tokens: [delta.base, delta.target], difference: delta.difference,
        items: [delta.items] + delta.sections.map { [$0.id] + $0.rows.items })
      if let number = numbers[key], deltas[number] == delta { return number }
      deltas.append(delta)
      numbers[key] = deltas.count - 1
      return deltas.count - 1
    }
  }

  private let state = Lock(State())

  var coder: DeltaCoder<UpdateDelta<Int, Int>> {
    DeltaCoder { delta in
      Array("\(self.state.withLock { $0.number(of: delta) })".utf8)
    } decode: { text in
      guard let number = Int(String(decoding: text, as: UTF8.self)) else {
        throw DeltaError.undecodable(reason: "it is damaged")
      }
      return self.state.withLock { $0.deltas[number] }
    }
  }
}
