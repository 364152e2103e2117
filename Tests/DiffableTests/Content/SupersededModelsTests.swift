import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Models that were given with an order, when a newer one takes its place in the queue.
@Suite(.deadline) struct SupersededModelsTests {
  private typealias Cards = ModelSource<String, Card>

  private enum Write {
    case order(Snapshot<String, Int>, [Card])
    case cards([Card])
  }

  private static func order(_ items: [Int]) -> Snapshot<String, Int> {
    Snapshot<String, Int>(sections: ["a"], items: [items])
  }

  /// Lets a source that is busy take writes; returns what became of the last one.
  private static func enqueue(_ writes: [Write], in source: Cards) async throws -> Ticket.Outcome? {
    let tickets = try await source.update { _ in
      writes.map { write in
        switch write {
        case .order(let order, let cards):
          cards.isEmpty ? source.enqueue(order) : source.enqueue(order, models: cards)
        case .cards(let cards): source.enqueue(cards, section: \.column)
        }
      }
    }.value
    for ticket in tickets.dropLast() { #expect(await ticket.outcome == .superseded) }
    return await tickets.last?.outcome
  }

  @Test func `A list of models has its own, and keeps them`() async throws {
    let source = Cards()
    try await source.apply([Card(id: 1), Card(id: 2)], section: \.column)
    _ = try await Self.enqueue(
      [
        .order(Self.order([2, 1]), [Card(id: 1, text: "x")]),
        .cards([Card(id: 1, text: "list"), Card(id: 2)]),
      ], in: source)
    #expect(await source.model(for: 1)?.text == "list")
    _ = try await Self.enqueue(
      [
        .order(Self.order([2, 1]), [Card(id: 1, text: "x")]),
        .cards([Card(id: 1, text: "lost"), Card(id: 2)]),
        .order(Self.order([2, 1]), []),
      ], in: source)
    #expect(await source.model(for: 1)?.text == "list")
    #expect(await source.snapshot.itemIdentifiers == [2, 1])
  }

  @Test("Superseded orders leave the models that they would have left in turn", arguments: 0..<8)
  func law(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<rounds(24) {
      let (burst, inTurn) = (Cards(), Cards())
      let first = (0..<4).map { Card(id: $0, text: "first") }
      for source in [burst, inTurn] { try await source.apply(first, section: \.column) }
      var (items, writes) = ([0, 1, 2, 3], [Write]())
      for step in 0..<1 + random.number(below: 40) {
        if random.chance(oneIn: 12) {
          let cards = items.map { Card(id: $0, text: "list \(step)") }
          // What a list holds is lost with it, so it comes first.
          if writes.isEmpty { writes.append(.cards(cards)) }
          continue
        }
        var cards: [Card] = []
        if items.count > 1, random.chance(oneIn: 3) {
          items.remove(at: random.number(below: items.count))
        }
        if random.chance(oneIn: 3) {
          let new = 10 + step
          items.insert(new, at: random.number(below: items.count + 1))
          cards.append(Card(id: new, text: "new"))
        }
        items = random.shuffled(items)
        for item in random.sample(items, oneIn: 4) {
          cards.append(Card(id: item, text: "\(step)"))
        }
        var order = Snapshot<String, Int>(sections: ["a"], items: [items])
        if random.chance(oneIn: 4) {
          let (index, new) = (random.number(below: items.count), 1000 + step)
          let old = items[index]
          try order.renameItem(old, to: new)
          items[index] = new
          cards.removeAll { $0.id == old }
          cards.append(Card(id: new, text: "renamed"))
        }
        writes.append(.order(order, cards))
      }
      for write in writes {
        switch write {
        case .order(let order, let cards): try await inTurn.apply(order, models: cards)
        case .cards(let cards): try await inTurn.apply(cards, section: \.column)
        }
      }
      let isWhole = if case .cards? = writes.first { true } else { false }
      if isWhole, case .cards(let cards) = writes.removeFirst() {
        try await burst.apply(cards, section: \.column)
      }
      _ = try await Self.enqueue(writes, in: burst)
      for item in items {
        let (one, other) = (await burst.model(for: item), await inTurn.model(for: item))
        #expect(one == other, "seed \(seed), round \(round), item \(item)")
      }
      #expect(await burst.snapshot.itemIdentifiers == items, "seed \(seed), round \(round)")
    }
  }
}
