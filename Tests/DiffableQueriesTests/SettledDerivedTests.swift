import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Waiting inside the loop over a derived source", .deadline) struct SettledDerivedTests {
  typealias Derived = DerivedLawTests.Derived

  /// What follows a base, in some way.
  enum Shape: CaseIterable {
    case one, chain, longChain, merge, mergeOfChains, join, diamond, otherBase

    func make(_ base: Notes, _ other: Notes) async throws -> Derived {
      switch self {
      case .one: return base.derived { $0.filter { $0.title > 0 } }
      case .chain: return base.derived { $0 }.derived { $0.filter { $0.title > 0 } }
      case .longChain:
        return base.derived { $0 }.derived { $0.filter { $0.title > 0 } }.derived { $0 }
          .derived { $0.map { $0 } }
      case .merge: return other.merged(with: base)
      case .mergeOfChains: return other.derived { $0 }.merged(with: base.derived { $0 })
      case .join: return base.joined(with: other, by: \.id) { note, _ in note }
      case .diamond:
        let middle = base.derived { $0 }
        return middle.merged(with: middle.derived { $0.filter { $0.title > 0 } })
      case .otherBase:
        let derived = other.derived { $0 }
        _ = await derived.snapshot
        try await derived.setBase(base)
        return derived
      }
    }
  }

  private static func makeBases() async throws -> (Notes, Notes) {
    (try await Notes.of([Note(id: 0, title: 1)]), try await Notes.of([Note(id: 1, title: 1)]))
  }

  @Test("Round after round, whatever is between", arguments: Shape.allCases)
  func insideTheLoop(shape: Shape) async throws {
    let (base, other) = try await Self.makeBases()
    let derived = try await shape.make(base, other)
    let reader = Task {
      var rounds = 0
      for await _ in derived.updates() {
        for _ in 0..<3 {
          let revision = try await base.setModel(Note(id: 0, title: 2, text: rounds)).revision
          await base.delivered(revision)
          await base.delivered(Revision(revision.number + 1))
          rounds += 1
        }
        if rounds == 15 { break }
      }
      return rounds
    }
    #expect(try await ended { try await reader.value } == 15)
    try await wait { base.population == Population() }
  }

  @Test("Two loops over two sources of one base", arguments: Shape.allCases)
  func twoLoops(shape: Shape) async throws {
    let (base, other) = try await Self.makeBases()
    let sources = [try await shape.make(base, other), try await Shape.one.make(base, other)]
    let rounds = try await withThrowingTaskGroup(of: Int.self) { group in
      for (lane, source) in sources.enumerated() {
        group.addTask {
          var rounds = 0
          for await _ in source.updates() {
            // No two texts are the same: one loop would take back what the other has done, and both
            // would wait for a change.
            let note = Note(id: 0, title: 2, text: 2 * rounds + lane)
            let revision = try await base.setModel(note).revision
            await base.delivered(revision)
            rounds += 1
            if rounds == 10 { break }
          }
          return rounds
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(rounds == 20)
  }

  @Test("A derived source for which nobody waits keeps nobody waiting") func resting() async throws
  {
    let (base, other) = try await Self.makeBases()
    for shape in Shape.allCases {
      let derived = try await shape.make(base, other)
      var batches: AsyncStream? = derived.updates()
      let first = await batches?.first { _ in true }
      #expect(first != nil)
      await base.delivered(try await base.setModel(Note(id: 0, title: 3)).revision)
      _ = await derived.snapshot
      await base.delivered(try await base.setModel(Note(id: 0, title: 4)).revision)
      batches = nil
      await base.delivered(try await base.setModel(Note(id: 0, title: 5)).revision)
    }
  }

  @Test("While a subscriber waits for a batch, its source is one that receives") func waiting()
    async throws
  {
    let (base, other) = try await Self.makeBases()
    for (number, shape) in Shape.allCases.enumerated() {
      let derived = try await shape.make(base, other)
      let text = number + 1
      let reader = Task { await derived.updates().first { $0.models[0]?.text == text } }
      try await wait { derived.population.waiting == 1 && base.population.waiting > 0 }
      let revision = try await base.setModel(Note(id: 0, title: 2, text: text)).revision
      await base.delivered(revision)
      #expect(try await ended { await reader.value } != nil)
    }
  }

  @Test("Who waits for a source that is left or gets another base is told")
  func otherBase() async throws {
    let (base, other) = try await Self.makeBases()
    let derived = base.derived { $0 }
    let reader = Task { for await _ in derived.updates() {} }
    try await wait { base.population.waiting == 1 }
    let settled = Task { await base.delivered(Revision(9)) }
    try await wait { base.population.settling == 1 }
    try await derived.setBase(other)
    try await ended { await settled.value }
    try await wait { other.population.waiting == 1 }
    let others = Task { await other.delivered(Revision(9)) }
    try await wait { other.population.settling == 1 }
    reader.cancel()
    try await ended { await others.value }
  }
}
