import Diffable

/// The writes of a participant that wait for the log, and those that share the append under way.
///
/// It has no concurrency, and runs nothing of the user's: the participant makes the changes, and says
/// what came of them.
///
/// While an append is under way, the writes that come wait. The next append takes them together. Each
/// write is made on the state that the ones before it leave. So what comes of a write depends on the
/// entries before it in the append: a write without an entry, since it throws or changes nothing there,
/// ends with them. If they are not accepted, it is made again. A write without an entry and without
/// entries before it ends at once.
struct SharedWrites<Change> {
  /// What may be before a write in the same append.
  enum Sharing: Sendable, Hashable {
    /// Nothing: it looks into the history, which knows what the log has accepted.
    case nothing
    /// Only writes of its kind.
    case itsKind
    /// Any writes.
    case anything
  }

  /// A write.
  struct Write {
    let number: UInt64
    let sharing: Sharing
    let change: Change
    /// How often it was offered.
    fileprivate(set) var tries = 0
    /// Whether the log has rejected it together with others.
    fileprivate(set) var isAlone = false

    init(number: UInt64, sharing: Sharing = .anything, _ change: Change) {
      (self.number, self.sharing, self.change) = (number, sharing, change)
    }
  }

  /// A write in the append.
  struct Member {
    var write: Write
    /// Its entry; `nil` if the write has made none, and ends with the entries before it.
    let entry: WriteID?
    /// Whether its writer no longer waits.
    fileprivate(set) var isStopped = false
    fileprivate(set) var hasEnded = false
  }

  /// What has become of a write.
  enum Fate: Sendable, Hashable {
    /// The log has its entry, or the entries before it if it has none.
    case made
    /// It was not made and will not be: others were faster each time.
    case contention
    /// It was not made and will not be: its writer no longer waits.
    case stopped
    /// The log does not take its entry.
    case rejected(String)
    /// The log may have its entry, or get it later.
    case unknown(WriteID, String)
  }

  /// The number of entries and the size of their deltas, in bytes, that several may have together.
  static var most: (entries: Int, bytes: Int) { (256, 256 << 10) }

  /// A slice, so that taking the first one costs nothing however many wait.
  private(set) var waiting: ArraySlice<Write> = []
  private(set) var offered: [Member] = []
  /// The first entry of the append.
  private(set) var first: WriteID?
  private var entryCount = 0
  private var bytes = 0
  /// Whether all writes in the append may be before one that takes only its kind.
  private var isOfOneKind = true

  init() {}

  var isEmpty: Bool { waiting.isEmpty && offered.isEmpty }
  /// The writes that have not ended.
  var all: [Write] { waiting + offered.lazy.filter { !$0.hasEnded }.map(\.write) }
  /// Whether no writer waits for the append any more.
  var isStopped: Bool { !offered.isEmpty && offered.allSatisfy { $0.isStopped } }

  /// Adds a write that waits for the next append.
  mutating func add(_ write: Write) {
    // The writers of the append come back, and a slice that was emptied has no room left.
    if waiting.isEmpty { waiting.reserveCapacity(offered.capacity) }
    waiting.append(write)
  }

  // MARK: Filling an append

  /// Takes the next write for the append; `nil` if there is none that may join it.
  mutating func take() -> Write? {
    guard let next = waiting.first else { return nil }
    if let leader = offered.first {
      guard entryCount < Self.most.entries, !next.isAlone, next.sharing != .nothing,
        !leader.write.isAlone, next.sharing != .itsKind || isOfOneKind
      else { return nil }
    }
    return waiting.removeFirst()
  }

  /// Lets a write that was taken share the append.
  ///
  /// - Parameter size: The size of its delta, in bytes.
  /// - Returns: `false` if there is no room. The write is the first of the next append then.
  mutating func join(_ write: Write, _ entry: WriteID, size: Int) -> Bool {
    guard first == nil || bytes + size <= Self.most.bytes else {
      waiting.insert(write, at: waiting.startIndex)
      return false
    }
    var write = write
    write.tries += 1
    bytes += size
    entryCount += 1
    if first == nil { first = entry }
    offer(Member(write: write, entry: entry))
    return true
  }

  /// Lets a write that was taken and has no entry end with the entries before it.
  ///
  /// - Returns: `false` if there are none: it ends now.
  mutating func follow(_ write: Write) -> Bool {
    guard first != nil else { return false }
    offer(Member(write: write, entry: nil))
    return true
  }

  private mutating func offer(_ member: Member) {
    offered.append(member)
    isOfOneKind = isOfOneKind && member.write.sharing == .itsKind
  }

  // MARK: Ending

  /// Ends the append.
  ///
  /// Writes that must be made again wait for the next one, before all others.
  ///
  /// - Parameter tries: The maximum number of offers of a write.
  /// - Returns: What has become of the others.
  mutating func end(_ outcome: Offer.Outcome, tries: Int) -> [(write: Write, fate: Fate)] {
    var (ended, again) = ([(write: Write, fate: Fate)](), [Write]())
    ended.reserveCapacity(offered.count)
    for member in offered where !member.hasEnded {
      let fate = member.fate(outcome, isShared: entryCount > 1, tries: tries)
      if let fate {
        ended.append((member.write, fate))
      } else {
        var write = member.write
        if case .rejected = outcome, member.entry != nil { write.isAlone = true }
        again.append(write)
      }
    }
    if !again.isEmpty { waiting = again[...] + waiting }
    offered.removeAll(keepingCapacity: true)
    (first, entryCount, bytes, isOfOneKind) = (nil, 0, 0, true)
    return ended
  }

  /// Lets a write in the append end with the answer that the log is about to give.
  ///
  /// - Returns: `false` if it is not in the append.
  mutating func stopAfterAnswer(_ number: UInt64) -> Bool {
    guard let index = offered.firstIndex(where: { $0.write.number == number && !$0.hasEnded })
    else { return false }
    offered[index].isStopped = true
    return true
  }

  /// Ends the writes in the append whose writers no longer wait, while others do.
  ///
  /// - Parameter doubt: Why the log may have their entries; `nil` if it has none of them.
  mutating func endStopped(_ doubt: String?) -> [(write: Write, fate: Fate)] {
    guard !isStopped else { return [] }
    var ended: [(write: Write, fate: Fate)] = []
    for index in offered.indices where offered[index].isStopped && !offered[index].hasEnded {
      offered[index].hasEnded = true
      let (write, entry) = (offered[index].write, offered[index].entry)
      if let entry, let doubt {
        ended.append((write, .unknown(entry, doubt)))
      } else {
        ended.append((write, .stopped))
      }
    }
    return ended
  }

  /// Ends a write whose writer no longer waits.
  ///
  /// - Parameter reason: Why the fate of its entry is unknown, if it has one.
  /// - Returns: What has become of it; `nil` if that is still to come, because no other writer waits for
  ///   the append.
  mutating func stop(_ number: UInt64, _ reason: String) -> (write: Write, fate: Fate)? {
    if let index = waiting.firstIndex(where: { $0.number == number }) {
      return (waiting.remove(at: index), .stopped)
    }
    guard let index = offered.firstIndex(where: { $0.write.number == number && !$0.hasEnded })
    else { return nil }
    offered[index].isStopped = true
    guard !isStopped else { return nil }
    offered[index].hasEnded = true
    let member = offered[index]
    return (member.write, member.entry.map { .unknown($0, reason) } ?? .stopped)
  }
}

extension SharedWrites.Member {
  /// What has become of the write; `nil` if it is made again.
  fileprivate func fate(
    _ outcome: Offer.Outcome, isShared: Bool, tries: Int
  ) -> SharedWrites.Fate? {
    switch outcome {
    case .next: .made
    case .rejected(let reason) where entry != nil && !isShared: .rejected(reason)
    case .unknown(let reason) where entry != nil: entry.map { .unknown($0, reason) }
    case .lost where entry != nil && write.tries >= tries && !isStopped: .contention
    default: isStopped ? .stopped : nil
    }
  }
}
