import DiffableQueries
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// Followers that share what one of them has had made.
@Suite(.deadline) struct DeltaEncodingTests {
  private typealias Batch = UpdateBatch<String, Int>

  /// Counts how often deltas were encoded.
  private final class Counter: Sendable {
    private let state = Lock(0)

    var count: Int { state.withLock { $0 } }

    func encode(_ delta: Batch.Delta) throws -> [UInt8] {
      state.withLock { $0 += 1 }
      // Otherwise the order of keys is another one each time.
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try Array(encoder.encode(delta))
    }
  }

  private func encoding(keeping bytes: Int = 1 << 20) -> (DeltaEncoding<Batch>, Counter) {
    let counter = Counter()
    return (DeltaEncoding(keeping: bytes) { try counter.encode($0) }, counter)
  }

  private static func state(_ items: [Int]) -> Snapshot<String, Int> {
    Snapshot<String, Int>(sections: ["A"], items: [items])
  }

  /// Responses that have sent how they begin.
  private func responses<Source: ListSource>(
    _ count: Int, of source: Source, _ encoding: DeltaEncoding<Batch>,
    after token: ResumeToken? = nil
  ) async throws -> [DeltaEvents<Batch>.Iterator] where Source.Batch == Batch {
    var responses: [DeltaEvents<Batch>.Iterator] = []
    for _ in 0..<count {
      var response = source.events(after: token, clock: ManualClock(), encoding: encoding)
        .makeAsyncIterator()
      _ = try await response.next()
      responses.append(response)
    }
    return responses
  }

  private func next(_ responses: inout [DeltaEvents<Batch>.Iterator]) async throws -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    for index in responses.indices { found.insert(try #require(await responses[index].next())) }
    return found
  }

  @Test func `Followers of any kind of source get the bytes that the first one has had made`()
    async throws
  {
    let source = DataSourceActor<String, Int>()
    try await source.apply(Self.state([1, 2, 3]))
    let derived = source.derived { $0.filter { $0 != 2 } }
    let mirror = MirrorSource<Batch>()
    let (encoding, counter) = encoding()
    var plain = try await responses(5, of: source, encoding)
    var filtered = try await responses(5, of: derived, encoding)
    var mirrored = try await responses(5, of: mirror, encoding)
    var feed = try await responses(1, of: source, self.encoding().0)
    for step in 0..<4 {
      var parser = EventParser()
      let bytes = try #require(await feed[0].next())
      var text = ""
      try parser.parse(bytes) { text = String(decoding: $0.data.utf8, as: UTF8.self) }
      try await mirror.apply(JSONDecoder().decode(Batch.Delta.self, from: Data(text.utf8)))
      #expect(try await next(&plain) == [bytes])
      let (ofFilter, ofMirror) = (try await next(&filtered), try await next(&mirrored))
      #expect(ofFilter.count == 1 && ofFilter != [bytes])
      #expect(ofMirror.count == 1)
      #expect(counter.count == 3 * (step + 1))
      try await source.update { try $0.appendItems([10 + step], toSection: "A") }
    }
    #expect(source.metrics.batches.count >= 6 * 4)
  }

  @Test func `One that lags, or begins later, gets what it needs`() async throws {
    let source = DataSourceActor<String, Int>()
    try await source.apply(Self.state([1]))
    let (encoding, counter) = encoding()
    var slow = try await responses(2, of: source, encoding)
    var quick = try await responses(2, of: source, encoding)
    _ = try await next(&slow)
    for step in 0..<3 {
      _ = try await next(&quick)
      try await source.update { try $0.appendItems([10 + step], toSection: "A") }
    }
    // From the first to the last revision, for two of them; then the same as the others.
    let lagging = try await next(&slow)
    #expect(lagging.count == 1 && counter.count == 4)
    _ = try await next(&quick)
    #expect(counter.count == 5)
    var late = try await responses(2, of: source, encoding)
    let reset = try await next(&late)
    #expect(reset.count == 1 && reset != lagging && counter.count == 6)
    try await source.update { try $0.appendItems([20], toSection: "A") }
    var all = slow + quick + late
    #expect(try await next(&all).count == 1)
    #expect(counter.count == 7)
  }

  @Test func `A reset tells each follower what was renamed since its own state`() async throws {
    let source = DataSourceActor<String, Int>()
    try await source.apply(Self.state([1, 2]))
    let (encoding, counter) = encoding()
    var slow = try await responses(2, of: source, encoding)
    _ = try await next(&slow)
    try await source.update { try $0.renameItem(1, to: 3) }
    var quick = try await responses(2, of: source, encoding)
    _ = try await next(&quick)
    try await source.update(presentation: .reset) { try $0.appendItems([4], toSection: "A") }
    func renames(_ events: Set<[UInt8]>) throws -> [[ItemRename<Int>]] {
      try events.map { bytes in
        var (parser, text) = (EventParser(), "")
        try parser.parse(bytes) { text = $0.data }
        let delta = try JSONDecoder().decode(Batch.Delta.self, from: Data(text.utf8))
        #expect(delta.isReset)
        return delta.renamedItems
      }
    }
    #expect(try await renames(next(&quick)) == [[]])
    #expect(try await renames(next(&slow)) == [[ItemRename(old: 1, new: 3)]])
    #expect(counter.count == 4)
  }

  @Test(arguments: [0, 300, 1 << 20])
  func `What is kept is bounded, and what is not is made again`(bytes: Int) async throws {
    let source = DataSourceActor<String, Int>(options: SourceOptions(history: 100))
    try await source.apply(Self.state([1]))
    let (encoding, counter) = encoding(keeping: bytes)
    // Nothing is kept without a follower.
    let follower = try await responses(1, of: source, encoding)
    var tokens = [source.token(for: await source.revision)]
    for step in 0..<20 {
      try await source.update { try $0.appendItems([10 + step], toSection: "A") }
      tokens.append(source.token(for: await source.revision))
    }
    var first: [[UInt8]] = []
    for _ in 0..<2 {
      var found: [[UInt8]] = []
      for token in tokens.dropLast() {
        var response = try await responses(2, of: source, encoding, after: token)
        found += try await next(&response)
      }
      #expect(found.count == 20)
      #expect(first.isEmpty || first == found)
      first = found
    }
    #expect(encoding.events.size.bytes <= bytes)
    #expect(follower.count == 1)
    switch bytes {
    case 0: #expect(counter.count == 80)
    case 300: #expect((21...80).contains(counter.count))
    default: #expect(counter.count == 20)
    }
  }

  @Test func `Any number of events makes room for others`() async throws {
    let source = DataSourceActor<String, Int>()
    try await source.apply(Self.state([0]))
    let (encoding, counter) = encoding(keeping: 2_000)
    var followers = try await responses(2, of: source, encoding)
    _ = try await next(&followers)
    for item in 1...1_100 {
      try await source.update {
        $0.deleteItems([item - 1])
        try $0.appendItems([item], toSection: "A")
      }
      #expect(try await next(&followers).count == 1)
    }
    #expect(counter.count == 1 + 1_100)
    let size = encoding.events.size
    #expect(size.events > 0 && size.bytes <= 2_000)
  }

  /// The first events of responses that are asked at the same time; `nil` for those that fail.
  ///
  /// The followers have the first revision of a source, which is two further.
  private func eventsAtOnce(
    _ count: Int, of source: DataSourceActor<String, Int>, _ encoding: DeltaEncoding<Batch>
  ) async throws -> [[UInt8]?] {
    try await source.apply(Self.state([1]))
    let token = source.token(for: await source.revision)
    for item in 2..<4 { try await source.update { try $0.appendItems([item], toSection: "A") } }
    // One that reads nothing, so that what was made is kept.
    let idle = try await responses(1, of: source, encoding)
    let found = await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 0..<count {
        group.addTask {
          var response = source.events(after: token, clock: ManualClock(), encoding: encoding)
            .makeAsyncIterator()
          _ = try? await response.next()
          return try? await response.next()
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(idle.count == 1)
    return found
  }

  @Test(arguments: 0..<scoped(usual: 4, wide: 40, long: 400))
  func `Many that lag alike and ask at the same time share one event`(round: Int) async throws {
    let source = DataSourceActor<String, Int>()
    let (encoding, counter) = encoding()
    let found = try await eventsAtOnce(50, of: source, encoding)
    #expect(Set(found).count == 1 && !found.contains(nil))
    #expect(counter.count == 1)
    #expect(source.metrics.batches.count == 50)
  }

  @Test(arguments: [0, 1 << 20])
  func `Those that wait for an event that fails have it made again`(bytes: Int) async throws {
    struct Failure: Error {}
    let source = DataSourceActor<String, Int>()
    let (isBroken, counter) = (Flag(), Counter())
    let encoding = DeltaEncoding<Batch>(keeping: bytes) { delta in
      guard isBroken.isRaised else {
        isBroken.raise()
        throw Failure()
      }
      return try counter.encode(delta)
    }
    let found = try await eventsAtOnce(50, of: source, encoding)
    #expect(found.count { $0 == nil } == 1 && Set(found).count == 2)
    if bytes > 0 { #expect(counter.count == 1) }
  }

  @Test func `Followers that come one after another share, and sources do not`() async throws {
    let source = DataSourceActor<String, Int>()
    let other = DataSourceActor<String, Int>()
    for source in [source, other] { try await source.apply(Self.state([1])) }
    let (encoding, counter) = encoding()
    for count in [1, 1, 2] {
      for list in [source, other] {
        var all = try await responses(count, of: list, encoding)
        _ = try await next(&all)
      }
      #expect(counter.count == 2 && encoding.events.size.events == 2)
    }
  }
}
