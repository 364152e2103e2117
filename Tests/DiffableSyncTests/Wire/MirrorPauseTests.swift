import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import Testing
import TestScope

/// How long a mirror waits before it connects again.
@Suite("Pauses between connections", .deadline) struct MirrorPauseTests {
  typealias Mirror = MirrorSource<UpdateBatch<String, Int>>
  typealias Body = AsyncThrowingStream<[UInt8], any Error>

  struct Cut: Error {}

  private static func decode(_ text: String.UTF8View) throws -> UpdateDelta<String, Int> {
    try JSONDecoder().decode(UpdateDelta.self, from: Data(text))
  }

  /// What becomes of a connection.
  private enum Fate: CaseIterable {
    case refused, broken, ended
    /// Ends without a change, as if the mirror had all.
    case quiet
    /// Ends with a delta that does not fit, after one with everything.
    case unfit
  }

  @Test("Failures in a row make the pause longer, until a connection has worked")
  func failuresInARow() async throws {
    let source = try Source(.list([1]))
    var random = SplitMix64(seed: 5)
    let fates = (0..<30).map { _ in random.element(of: Fate.allCases) ?? .refused }
    let clock = ManualClock()
    let next = Lock(0)
    let mirror = Mirror()
    let following = Task { [fates] in
      try await mirror.follow(clock: clock, longestWait: .seconds(10), silence: nil) { _ in
        let number = next.withLock { number in
          number += 1
          return number - 1
        }
        guard number < fates.count else { return nil as Body? }
        if fates[number] == .refused { throw Cut() }
        let (body, input) = Body.makeStream()
        var events = source.events(clock: ManualClock()) { try Array(JSONEncoder().encode($0)) }
          .makeAsyncIterator()
        for _ in 0..<(fates[number] == .quiet ? 1 : 2) {
          if let bytes = try await events.next() { input.yield(bytes) }
        }
        if fates[number] == .unfit { input.yield(Array("event: delta\ndata: {}\n\n".utf8)) }
        input.finish(throwing: fates[number] == .broken ? Cut() : nil)
        return body
      } decode: {
        try Self.decode($0)
      }
    }
    var failures = 0
    for (number, fate) in fates.enumerated() {
      if ![.refused, .unfit].contains(fate) { failures = 0 }
      if ![.ended, .quiet].contains(fate) { failures += 1 }
      let longest = min(10, 2 << max(0, failures - 1))
      let comment: Comment = "seed 5, \(fate), the \(number). connection: \(longest) seconds"
      try await wait(for: "the pause after \(number)") { clock.sleeping == 1 }
      // Up to half of it is left out.
      clock.advance(by: .milliseconds(longest * 500 - 1))
      #expect(clock.sleeping == 1 && next.withLock { $0 } == number + 1, comment)
      clock.advance(by: .milliseconds(longest * 500 + 1))
      try await wait(for: "the end of the pause after \(number)") {
        next.withLock { $0 } == number + 2
      }
    }
    // The server said that there is nothing to follow.
    try await following.value
    await #expect(throws: DeltaError.finished) {
      try await mirror.apply("{}".utf8) {
        try Self.decode(String(decoding: $0, as: UTF8.self).utf8)
      }
    }
  }

  @Test("A server may ask for short pauses, but not for none", arguments: [0, 1, 99, 100, 300])
  func shortPauses(retry: Int) async throws {
    let clock = ManualClock()
    let attempts = Lock(0)
    let mirror = Mirror()
    let following = Task {
      try await mirror.follow(clock: clock, silence: nil) { _ in
        let attempt = attempts.withLock { count in
          count += 1
          return count
        }
        guard attempt < 5 else { return nil as AsyncStream<[UInt8]>? }
        let (body, input) = AsyncStream.makeStream(of: [UInt8].self)
        input.yield(Array("retry: \(retry)\n\n".utf8))
        input.finish()
        return body
      } decode: {
        try Self.decode($0)
      }
    }
    for attempt in 1..<5 {
      try await wait { clock.sleeping == 1 || attempts.withLock { $0 } > attempt }
      #expect(attempts.withLock { $0 } == attempt)
      clock.advance(by: .milliseconds(max(100, retry) / 2 - 1))
      #expect(clock.sleeping == 1)
      clock.advance(by: .milliseconds(max(100, retry)))
      try await wait { attempts.withLock { $0 } == attempt + 1 }
    }
    try await following.value
  }
}
