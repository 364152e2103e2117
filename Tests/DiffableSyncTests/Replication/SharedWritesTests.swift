import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("Writes that wait for a log")
struct SharedWritesTests {
  typealias Writes = SharedWrites<Int>

  /// A write, as a plain value.
  private struct Plain {
    let number: UInt64
    let sharing: Writes.Sharing
    var tries = 0
    var isAlone = false
    /// Its entry in the append.
    var entry: WriteID?
    var isStopped = false
  }

  /// Writes in two lists; it is slow and says each rule once.
  private struct Model {
    var waiting: [Plain] = []
    var offered: [Plain] = []
    var fates: [UInt64: Writes.Fate] = [:]
    var (entryCount, bytes) = (0, 0)
    var isStopped: Bool { offered.allSatisfy { $0.isStopped || fates[$0.number] != nil } }
    var first: WriteID? { offered.lazy.compactMap(\.entry).first }

    func mayJoin(_ next: Plain) -> Bool {
      guard let first = offered.first else { return true }
      if next.isAlone || first.isAlone || entryCount >= 256 { return false }
      switch next.sharing {
      case .nothing: return false
      case .itsKind: return offered.allSatisfy { $0.sharing == .itsKind }
      case .anything: return true
      }
    }

    mutating func end(_ outcome: Offer.Outcome, tries: Int) {
      var again: [Plain] = []
      let isShared = entryCount > 1
      for member in offered where fates[member.number] == nil {
        switch (outcome, member.entry) {
        case (.next, _): fates[member.number] = .made
        case (.rejected(let reason), .some) where !isShared:
          fates[member.number] = .rejected(reason)
        case (.unknown(let reason), let entry?):
          fates[member.number] = .unknown(entry, reason)
        case (.lost, .some) where member.tries >= tries && !member.isStopped:
          fates[member.number] = .contention
        case (_, let entry):
          if member.isStopped {
            fates[member.number] = .stopped
          } else {
            var next = member
            if case .rejected = outcome, entry != nil { next.isAlone = true }
            next.entry = nil
            again.append(next)
          }
        }
      }
      (waiting, offered, entryCount, bytes) = (again + waiting, [], 0, 0)
    }
  }

  @Test("Random writes end once, in their turn, as two plain lists say", arguments: 0..<8)
  func random(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    // Some seeds have many writes, and some have large ones.
    let (isMany, isLarge) = (seed == 1, seed % 4 == 2)
    var (writes, model, told) = (Writes(), Model(), [UInt64: Writes.Fate]())
    var last: UInt64 = 0
    func tell(_ ended: [(write: Writes.Write, fate: Writes.Fate)]) {
      for (write, fate) in ended {
        #expect(told.updateValue(fate, forKey: write.number) == nil, "seed \(seed): told twice")
      }
    }
    func add() {
      last += 1
      let sharing: Writes.Sharing =
        isMany || random.chance(oneIn: 2)
        ? .anything : random.chance(oneIn: 3) ? .nothing : .itsKind
      writes.add(.init(number: last, sharing: sharing, Int(last)))
      model.waiting.append(Plain(number: last, sharing: sharing))
    }
    func fill() {
      while let next = model.waiting.first {
        let taken = writes.take()
        guard model.mayJoin(next) else {
          #expect(taken == nil, "seed \(seed): \(next) joins")
          return
        }
        #expect(taken?.number == next.number && taken?.tries == next.tries, "seed \(seed)")
        guard let taken else { return }
        var member = model.waiting.removeFirst()
        if random.chance(oneIn: 5) {
          let follows = writes.follow(taken)
          #expect(follows == (model.entryCount > 0), "seed \(seed)")
          if follows { model.offered.append(member) } else { tell([(taken, .made)]) }
          if !follows { model.fates[member.number] = .made }
          continue
        }
        let size = isLarge ? random.number(below: 150 << 10) : isMany ? 1 : 100
        let id = WriteID(ofForeignMessage: last << 32 + UInt64(random.number(below: 1 << 30)))
        let joins = writes.join(taken, id, size: size)
        #expect(joins == (model.entryCount == 0 || model.bytes + size <= 256 << 10), "seed \(seed)")
        guard joins else {
          model.waiting.insert(member, at: 0)
          return
        }
        (member.entry, member.tries) = (id, member.tries + 1)
        (model.entryCount, model.bytes) = (model.entryCount + 1, model.bytes + size)
        model.offered.append(member)
      }
      #expect(writes.take() == nil, "seed \(seed)")
    }
    func stop(_ number: UInt64, afterAnswer: Bool) {
      let index = model.offered.firstIndex {
        $0.number == number && model.fates[$0.number] == nil
      }
      if afterAnswer {
        #expect(writes.stopAfterAnswer(number) == (index != nil), "seed \(seed)")
        if let index { model.offered[index].isStopped = true }
        return
      }
      writes.stop(number, "gone").map { tell([$0]) }
      if let place = model.waiting.firstIndex(where: { $0.number == number }) {
        model.waiting.remove(at: place)
        model.fates[number] = .stopped
      } else if let index {
        model.offered[index].isStopped = true
        guard !model.isStopped else { return }
        model.fates[number] = model.offered[index].entry.map { .unknown($0, "gone") } ?? .stopped
      }
    }
    func endStopped(_ doubt: String?) {
      tell(writes.endStopped(doubt))
      guard !model.isStopped else { return }
      for member in model.offered where member.isStopped && model.fates[member.number] == nil {
        let entry = member.entry.flatMap { entry in doubt.map { (entry, $0) } }
        model.fates[member.number] = entry.map { .unknown($0.0, $0.1) } ?? .stopped
      }
    }
    add()
    for step in 0..<rounds(1_200) {
      switch random.number(below: 8) {
      case 0, 1: for _ in 0..<(isMany ? 50 : 3) { add() }
      case 2, 3: if model.offered.isEmpty { fill() }
      case 4: stop(last - min(last - 1, UInt64(random.number(below: 8))), afterAnswer: false)
      case 5: stop(last - min(last - 1, UInt64(random.number(below: 8))), afterAnswer: true)
      case 6: endStopped(random.chance(oneIn: 2) ? "doubt" : nil)
      default:
        let outcomes: [Offer.Outcome] = [
          .next, .lost, .lost, .notDone, .rejected("long"), .unknown("lost"),
        ]
        guard let outcome = random.element(of: outcomes) else { break }
        tell(writes.end(outcome, tries: 2))
        model.end(outcome, tries: 2)
      }
      let comment: Comment = "seed \(seed), step \(step)"
      try #require(told == model.fates, comment)
      try #require(writes.waiting.map(\.number) == model.waiting.map(\.number), comment)
      try #require(writes.offered.map(\.write.number) == model.offered.map(\.number), comment)
      try #require(writes.first == model.first, comment)
      let left = (model.waiting + model.offered).map(\.number).filter { told[$0] == nil }
      try #require(writes.all.map(\.number) == left, comment)
      try #require(writes.isStopped == (!model.offered.isEmpty && model.isStopped), comment)
      if model.offered.isEmpty { (told, model.fates) = ([:], [:]) }
    }
  }

  /// Every sequence of a few answers.
  private static func answers(atMost count: Int) -> [[Offer.Answer]] {
    guard count > 0 else { return [[]] }
    let kinds: [Offer.Answer] = [
      .accepted, .refused, .rejected("too long"), .notDone, .missing("no connection"),
    ]
    return [[]] + answers(atMost: count - 1).flatMap { rest in kinds.map { [$0] + rest } }
  }

  @Test(
    "What is said of an offer can be known, whatever the answers and the entries say, and whoever stops"
  )
  func offers() {
    for limit in 1...3 {
      // Nothing is offered again that was accepted.
      for answers in Self.answers(atMost: 4) where !answers.dropLast().contains(.accepted) {
        for decision in [Offer.Decision.open, .next, .lost, .dropped] {
          for isStopping in [false, true] {
            for isPaused in [false, true] {
              var offer = Offer(limit: limit)
              for answer in answers { offer.record(answer) }
              if isPaused { offer.resume() }
              let step = offer.step(decision, isStopping: isStopping)
              check(step, answers, decision, isStopping)
              // What has got no answer is offered again, as often as its writer wants.
              guard case .missing? = answers.last, decision == .open, !isStopping, !isPaused
              else { continue }
              #expect((step == .pause) == (answers.count < limit), "\(answers), limit \(limit)")
            }
          }
        }
      }
    }
  }

  private func check(
    _ step: Offer.Step, _ answers: [Offer.Answer], _ decision: Offer.Decision, _ isStopping: Bool
  ) {
    let comment: Comment = "\(step) after \(answers), \(decision), stopping: \(isStopping)"
    // An offer without an answer may have been accepted, or arrive later.
    let mayBeThere = answers.contains {
      switch $0 {
      case .accepted, .missing: true
      case .refused, .rejected, .notDone: false
      }
    }
    switch step {
    case .end(.next): #expect(decision == .next || answers.last == .accepted, comment)
    case .end(.lost), .end(.rejected), .end(.notDone):
      #expect(decision == .lost || !mayBeThere, comment)
    case .end(.unknown):
      #expect(decision != .next && decision != .lost, comment)
      #expect(mayBeThere || answers.isEmpty || decision == .dropped, comment)
    case .append, .pause, .wait:
      #expect(decision == .open, comment)
      let isFirst = !answers.contains { if case .missing = $0 { true } else { false } }
      #expect(!isStopping || (step == .append && isFirst), "\(comment): nobody waits")
    }
    if decision == .next { #expect(step == .end(.next), comment) }
  }
}
