import Diffable
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@Suite("Resuming, in the same life of a source and in another", .deadline)
struct ResumingTests {
  @Test("Without a revision to resume after there is a reset, never an error and never a wait")
  func resets() async throws {
    let source = Source(options: SourceOptions(history: 2))
    for last in 1...6 { try await source.apply(.list(0..<last)) }
    let (live, lost) = (source.token(for: Revision(6)), source.token(for: Revision(3)))
    let other = try Source(.list([9]))
    let tokens = [
      lost, source.token(for: .empty), source.token(for: Revision(7)),
      source.token(for: Revision(.max)), source.token(for: Revision(-1)),
      source.token(for: Revision(.min)), other.token(for: Revision(6)), ResumeToken(""),
      ResumeToken("6"), ResumeToken("r6"), ResumeToken(source.epoch.description),
    ]
    for token in tokens {
      #expect(source.revision(for: token) == nil)
      for policy in [UpdatePolicy.coalesced, .every(limit: 4), .coalesced(throttle: .seconds(9))] {
        var batches = source.updates(policy, after: token).makeAsyncIterator()
        let batch = try #require(await batches.next())
        #expect(batch.base == nil && batch.token == live)
      }
    }
    // The live state is known: the subscriber waits for the next one.
    var batches = source.updates(after: live).makeAsyncIterator()
    try await source.update { $0.deleteItems([0]) }
    #expect(await batches.next()?.baseToken == live)
  }

  @Test("A writer that comes back with a token merges, or learns that the base is gone")
  func writers() async throws {
    let source = try Source(.list([1, 2]))
    let token = source.token(for: await source.revision)
    try await source.update { try $0.appendItems([3]) }
    let base = try #require(source.revision(for: ResumeToken(token.description)))
    try await source.merge(.list([0, 1, 2]), basedOn: base)
    #expect(await source.snapshot.itemIdentifiers == [0, 1, 2, 3])
    let restarted = try Source(.list([7, 8]))
    #expect(restarted.revision(for: token) == nil)
  }
}

@Suite("Tokens and epochs are short texts that are exactly one state, or none")
struct ResumeTokenTests {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test("An epoch is 22 characters of a URL, and the only one of them")
  func epochs() throws {
    var random = SplitMix64(seed: 1)
    var texts: Set<String> = []
    for _ in 0..<200 {
      let epoch = Epoch(high: random.next(), low: random.next())
      let text = epoch.description
      #expect(text.count == 22 && text.allSatisfy(Self.alphabet.contains))
      #expect(Epoch(text) == epoch)
      #expect(try roundTrip(epoch) == epoch)
      #expect(texts.insert(text).inserted)
      // Two bits of the last character count; another text of the same bits is refused.
      for last in Self.alphabet where last != text.last {
        let other = Epoch(String(text.dropLast()) + String(last))
        #expect(other.map { $0 != epoch && $0.description.last == last } ?? true, "\(text)")
      }
      for wrong in [
        "", text + "A", String(text.dropLast()), String(text.dropLast()) + "=", "é" + text,
      ] {
        #expect(Epoch(wrong) == nil)
      }
    }
    #expect(Epoch() != Epoch())
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Epoch.self, from: Data(#""no epoch""#.utf8))
    }
  }

  @Test("A token is 32 characters of a URL, is encoded as a string, and survives as it is")
  func texts() throws {
    var random = SplitMix64(seed: 2)
    var tokens: Set<ResumeToken> = []
    let numbers =
      [0, 1, 2, 63, 64, 1 << 32, .max]
      + (0..<50).map { _ in Int.random(in: 0 ... .max, using: &random) }
    for number in numbers {
      let epoch = Epoch(high: random.next(), low: random.next())
      for epoch in [epoch, Epoch(high: 0, low: 0), Epoch(high: .max, low: .max)] {
        let token = ResumeToken(epoch: epoch, revision: Revision(number))
        let text = token.description
        #expect(text.count == 32 && text.allSatisfy(Self.alphabet.contains))
        #expect(ResumeToken(text) == token)
        #expect(try roundTrip(token) == token)
        #expect(try JSONEncoder().encode(token) == Data("\"\(text)\"".utf8))
        #expect(tokens.insert(token).inserted)
      }
    }
  }

  @Test("A token that says it has no digest is not another text for the state")
  func emptyDigest() async throws {
    let source = Source()
    try await source.apply(.list(0..<3))
    let token = source.token(for: await source.revision)
    #expect(source.revision(for: token) == Revision(1))
    // Eleven of these are the eight bytes of a digest of nothing.
    let longer = ResumeToken(token.description + String(repeating: "A", count: 11))
    #expect(source.revision(for: longer) == nil)
  }

  @Test("A token of which a character was changed, lost, doubled or added names no state")
  func damage() async throws {
    let source = Source(options: SourceOptions(history: 100))
    for last in 1...100 { try await source.apply(.list(0..<last)) }
    for number in [0, 1, 41, 100] {
      let token = source.token(for: Revision(number))
      #expect(source.revision(for: token) == Revision(number))
      let text = Array(token.description)
      for index in text.indices {
        var damaged = text
        for character in Self.alphabet where character != text[index] {
          damaged[index] = character
          #expect(source.revision(for: ResumeToken(String(damaged))) == nil)
        }
        damaged = text
        damaged.remove(at: index)
        #expect(source.revision(for: ResumeToken(String(damaged))) == nil)
        damaged.insert(contentsOf: [text[index], text[index]], at: index)
        #expect(source.revision(for: ResumeToken(String(damaged))) == nil)
      }
      for wrong in [" ", "=", "\n", "\0", "é", "A"] {
        for damaged in [wrong + token.description, token.description + wrong] {
          #expect(source.revision(for: ResumeToken(damaged)) == nil)
        }
      }
    }
  }

  @Test("Any text is a token, and text that never was one gives a reset", arguments: 0..<20)
  func garbage(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let source = try Source(.list([1, 2]))
    let strange: [Character] = ["é", "👩‍👩‍👧", "\0", "\r\n", "=", "+", "/", " ", "\u{FEFF}", "\u{301}"]
    for _ in 0..<rounds(40) {
      let letters = random.chance(oneIn: 2) ? Self.alphabet : Self.alphabet + strange
      let count = random.chance(oneIn: 2) ? 32 : random.number(below: 100)
      let text = String((0..<count).map { _ in letters[random.number(below: letters.count)] })
      let token = ResumeToken(text)
      #expect(token.description == text)
      #expect(source.revision(for: token) == nil, "seed \(seed): \(text)")
      var batches = source.updates(after: token).makeAsyncIterator()
      let batch = try #require(await batches.next())
      #expect(try batch.base == nil && batch.snapshot == .list([1, 2]), "seed \(seed): \(text)")
      #expect(try roundTrip(token) == token)
      _ = Epoch(text)
    }
  }
}
