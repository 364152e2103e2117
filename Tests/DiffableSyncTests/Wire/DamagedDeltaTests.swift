import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import Testing
import TestScope

/// Whatever is changed in a delta, a mirror refuses it or does what its text says.
@Suite("A damaged delta is refused, or leads to the list that its text describes")
struct DamagedDeltaTests {
  typealias Delta = UpdateDelta<String, Int>

  @Test(arguments: 0..<scoped(usual: 3, wide: 6 as UInt64))
  func `Deltas of random edits, with one or two changes in the text`(seed: UInt64) async throws {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    var sequence = BatchSequence<String, Int>()
    _ = try sequence.next(generator.snapshot(.uneven(sections: 3, items: 12)))
    var reset = try Self.object(of: sequence.reset())
    var (taken, refused) = (0, 0)
    for step in 0..<rounds(24, least: 6) {
      let changes: [SnapshotChange] = [.changedOutlines, .renamedItems, .mixed]
      let next = generator.changing(
        sequence.snapshot, by: generator.random.element(of: changes) ?? .mixed)
      let delta = try Self.object(of: sequence.next(next))
      let before = try #require(NaiveList().applying(reset))
      #expect(before.applying(delta)?.text == NaiveList(next).text, "seed \(seed), step \(step)")
      for _ in 0..<12 {
        var damaged = Mutation.of(delta, &generator.random)
        if generator.random.chance(oneIn: 3) { damaged = Mutation.of(damaged, &generator.random) }
        let data = try JSONSerialization.data(withJSONObject: damaged)
        let comment: Comment =
          "seed \(seed), step \(step): \(String(decoding: data, as: UTF8.self))"
        let isTaken = try await Self.check(data, after: reset, before, comment)
        (taken, refused) = isTaken ? (taken + 1, refused) : (taken, refused + 1)
      }
      reset = try Self.object(of: sequence.reset())
    }
    #expect(taken > 0 && refused > 0, "seed \(seed)")
  }

  private static func object(of batch: UpdateBatch<String, Int>) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(UpdateDelta(batch)))
    return try #require(object as? [String: Any])
  }

  /// Lets a mirror take a damaged delta; returns whether it does.
  private static func check(
    _ data: Data, after reset: [String: Any], _ before: NaiveList, _ comment: Comment
  ) async throws -> Bool {
    func read(_ data: Data) throws(DeltaError) -> Delta {
      try Delta.read(data) { try JSONDecoder().decode(Delta.self, from: $0) }
    }
    var list = Mirrored<UpdateBatch<String, Int>>()
    try await list.apply(read(JSONSerialization.data(withJSONObject: reset)))
    let start = await list.snapshot
    do throws(DeltaError) {
      let batch = try await list.apply(read(data))
      let snapshot = await list.snapshot
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
      let expected = object.flatMap(before.applying)
      if expected?.text != NaiveList(snapshot).text {
        Issue.record("\(snapshot) instead of \(expected?.text ?? "nothing"): \(comment)")
      }
      check(snapshot, batch, comment)
      return true
    } catch {
      #expect(await list.snapshot == start, comment)
      return false
    }
  }

  /// What was taken is a valid list, and the batch leads to it.
  private static func check(
    _ list: Snapshot<String, Int>, _ batch: UpdateBatch<String, Int>?, _ comment: Comment
  ) {
    #expect(throws: Never.self, comment) {
      try list.validate()
      guard let batch, let previous = batch.previousSnapshot else { return }
      let replayed = try previous.applying(batch.difference, insertsFrom: batch.snapshot)
      #expect(replayed == batch.snapshot, comment)
    }
  }
}

/// Another JSON text with one thing changed.
enum Mutation {
  static func of(_ value: Any, _ random: inout SplitMix64) -> Any {
    switch value {
    case let object as [String: Any]:
      guard let key = random.element(of: object.keys.sorted()) else { return object }
      var object = object
      if random.chance(oneIn: 12) {
        object[key] = nil
      } else if let member = object[key] {
        object[key] = of(member, &random)
      }
      return object
    case let array as [Any]:
      guard !array.isEmpty else { return array }
      var array = array
      let index = random.number(below: array.count)
      switch random.number(below: 8) {
      case 0: array.remove(at: index)
      case 1: array.insert(array[index], at: index)
      case 2: array.swapAt(index, random.number(below: array.count))
      default: array[index] = of(array[index], &random)
      }
      return array
    case let number as Int: return max(0, number + random.number(below: 5) - 2)
    default: return value
    }
  }
}
