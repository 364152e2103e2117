import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// Subscribers of all policies over many lives of a source: they come and go, and keep nothing but
/// what they show and its token, as text.
@Suite("Over restarts nobody ends on a wrong list", .deadline)
struct RestartLawTests {
  /// A life of the source: its first state and all writes, and its states by revision, from 0.
  private struct Life {
    let epoch = Epoch()
    let start: List
    var writes: [List] = []
    var states: [List]

    init(_ start: List) {
      self.start = start
      states = start == List() ? [start] : [List(), start]
    }
  }

  private struct Subscriber {
    let policy: UpdatePolicy
    var shown = List()
    /// What it would resume after, and which revision of which life that is.
    var token: String?
    var place: (life: Int, revision: Int)?
    var batches: AsyncStream<UpdateBatch<String, Int>>.Iterator?
  }

  @Test(arguments: 0..<scoped(usual: 6, wide: 24 as UInt64))
  func `Each batch goes on from what is shown, or is a reset where it has to be`(
    seed: UInt64
  ) async throws {
    for round in 0..<rounds(1 as UInt64) {
      try await run(SplitMix64(seed: seed * 1_000 + round), "seed \(seed), round \(round)")
    }
  }

  private func run(_ random: SplitMix64, _ comment: Comment) async throws {
    var generator = SnapshotGenerator<String, Int>(
      seed: 0, section: { "s\($0)" }, item: { $0 })
    generator.random = random
    var history = generator.random.number(below: 8)
    var lives = [Life(List())]
    var source = Source(options: SourceOptions(history: history, epoch: lives[0].epoch))
    var subscribers = [
      UpdatePolicy.coalesced, .every(limit: 1), .every(limit: 3), .every(limit: 1_000),
    ].map { Subscriber(policy: $0) }
    var counts = (resets: 0, steps: 0)

    for _ in 0..<150 {
      let index = generator.random.number(below: subscribers.count)
      switch generator.random.number(below: 12) {
      case 0..<4:
        let live = await source.snapshot
        let next =
          live.numberOfSections == 0
          ? generator.snapshot(.even(sections: 2, itemsEach: 3))
          : generator.changing(live, by: .mixed)
        let count = lives[lives.count - 1].states.count
        if try await source.apply(next).revision.number == count {
          lives[lives.count - 1].writes.append(next)
          // Where a list is applied to an outline, the outline stays.
          lives[lives.count - 1].states.append(await source.snapshot)
        }
      case 4..<9:
        try await take(
          &subscribers[index], from: source, lives, history: history, &counts, comment)
      case 9:
        subscribers[index].batches = nil
        if generator.random.chance(oneIn: 8) {
          subscribers[index].token = generator.random.chance(oneIn: 2) ? nil : "r22"
          subscribers[index].place = nil
        }
      case 10:
        // Another life, from any state that there was.
        history = generator.random.number(below: 8)
        let states = lives[lives.count - 1].states
        let start = states[generator.random.number(below: states.count)]
        lives.append(Life(start))
        source = try Source(
          start, options: SourceOptions(history: history, epoch: lives[lives.count - 1].epoch))
        for index in subscribers.indices { subscribers[index].batches = nil }
      default:
        // The same life again, from a log of all its writes.
        history = generator.random.number(below: 8)
        let life = lives[lives.count - 1]
        source = try Source(life.start, options: SourceOptions(history: history, epoch: life.epoch))
        for write in life.writes { try await source.apply(write) }
        for index in subscribers.indices { subscribers[index].batches = nil }
      }
    }
    for index in subscribers.indices {
      while subscribers[index].place.map({
        $0 != (lives.count - 1, lives[lives.count - 1].states.count - 1)
      }) ?? true {
        try await take(
          &subscribers[index], from: source, lives, history: history, &counts, comment)
      }
      #expect(await subscribers[index].shown == source.snapshot, comment)
    }
    #expect(counts.resets > 0 && counts.steps > 0, comment)
  }

  /// Lets a subscriber take the next batch, if there is one for it.
  private func take(
    _ subscriber: inout Subscriber, from source: Source, _ lives: [Life], history: Int,
    _ counts: inout (resets: Int, steps: Int), _ comment: Comment
  ) async throws {
    let (life, live) = (lives.count - 1, lives[lives.count - 1].states.count - 1)
    if let place = subscriber.place, place == (life, live) { return }
    var isReset = false
    if subscriber.batches == nil {
      let isKnown = subscriber.place.map { $0.life == life && $0.revision >= live - history }
      isReset = !(isKnown ?? false)
      subscriber.batches = source.updates(
        subscriber.policy, after: subscriber.token.map { ResumeToken($0) }
      ).makeAsyncIterator()
    }
    let batch = try #require(await subscriber.batches?.next(isolation: nil))
    #expect((batch.base == nil) == isReset, comment)
    if batch.base == nil {
      counts.resets += 1
      subscriber.shown = batch.snapshot
    } else {
      counts.steps += 1
      #expect(batch.baseToken?.description == subscriber.token, comment)
      #expect(batch.previousSnapshot == subscriber.shown, comment)
      subscriber.shown = try subscriber.shown.applying(
        batch.difference, insertsFrom: batch.snapshot)
    }
    #expect(subscriber.shown == batch.snapshot, comment)
    #expect(subscriber.shown == lives[life].states[batch.target.number], comment)
    subscriber.token = batch.token.description
    subscriber.place = (life, batch.target.number)
  }
}
