import Diffable
import DiffableTesting
import Foundation
import GRDB
import Testing

/// A list that follows a query, while several connections write.
@Suite("A list from a database", .timeLimit(.minutes(5))) struct DatabaseTests {
  /// A database in a folder of its own, which goes when the object does.
  private final class Store: Sendable {
    let path: String
    let pool: DatabasePool
    private let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      path = folder.appendingPathComponent("songs.sqlite").path
      pool = try DatabasePool(path: path, configuration: Self.patient)
      try pool.write { db in
        try db.create(table: "song") { table in
          table.primaryKey("id", .integer)
          table.column("album", .text).notNull()
          table.column("track", .integer).notNull()
          table.column("title", .text).notNull()
        }
      }
    }

    deinit {
      try? pool.close()
      try? FileManager.default.removeItem(at: folder)
    }

    /// A connection of another process, as far as this one can tell.
    func stranger() throws -> DatabaseQueue {
      try DatabaseQueue(path: path, configuration: Self.patient)
    }

    /// Waits while another connection writes.
    private static var patient: Configuration {
      var configuration = Configuration()
      configuration.busyMode = .timeout(30)
      return configuration
    }

    func songs() async throws -> [Song] {
      try await pool.read { db in
        try Song.order(Column("album"), Column("track"), Column("id")).fetchAll(db)
      }
    }
  }

  /// Changes a few songs in one transaction.
  private static func write(_ db: Database, _ random: inout SplitMix64) throws {
    for _ in 0...random.number(below: 3) {
      let id = Int64(random.number(below: 60))
      let song = Song(
        id: id, album: "Album \(random.number(below: 6))", track: random.number(below: 12),
        title: "Song \(random.number(below: 1000))")
      switch random.number(below: 4) {
      case 0: _ = try Song.deleteOne(db, key: id)
      case 1:
        try db.execute(sql: "UPDATE song SET title = ? WHERE id = ?", arguments: [song.title, id])
      default: try song.insert(db, onConflict: .replace)
      }
    }
  }

  @Test("equals the query when all have written", arguments: 0..<4 as Range<UInt64>)
  func manyWriters(seed: UInt64) async throws {
    let store = try Store()
    let source = ModelSource<String, Song>()
    let batches = source.updates(.every(limit: 64))
    let following = Task { try await follow(store.pool, in: source) }
    let watching = Task { try await watch(store.pool, every: .milliseconds(2)) }
    defer {
      following.cancel()
      watching.cancel()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 as Range<UInt64> {
        let connection: any DatabaseWriter = try writer < 2 ? store.pool : store.stranger()
        group.addTask {
          var random = SplitMix64(seed: seed << 8 | writer)
          for _ in 0..<60 {
            random = try await connection.write { [random] db in
              var random = random
              try Self.write(db, &random)
              return random
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let songs = try await store.songs()
    #expect(!songs.isEmpty)
    var view = ListSimulator<String, Int64>(profile: .collectionView)
    for await batch in batches {
      #expect(view.perform(batch.update).isEmpty, "seed \(seed)")
      let shown = batch.snapshot.itemIdentifiers
      guard Array(shown) == songs.map(\.id) else { continue }
      if songs.allSatisfy({ batch.model(for: $0.id) == $0 }) { break }
    }
    let sections = await source.snapshot.sectionIdentifiers
    #expect(Array(sections) == Set(songs.map(\.album)).sorted(), "seed \(seed)")
  }

  @Test("is made by the code that the documentation shows")
  func article() throws {
    let file = URL(fileURLWithPath: #filePath)
    let root = (0..<5).reduce(file) { url, _ in url.deletingLastPathComponent() }
    let article = root.appendingPathComponent(
      "Sources/Diffable/Diffable.docc/ListsFromADatabase.md")
    let blocks = try String(contentsOf: article, encoding: .utf8)
      .split(separator: "```").filter { $0.hasPrefix("swift database\n") }
      .map { $0.dropFirst("swift database\n".count) }
    let code = try String(
      contentsOf: file.deletingLastPathComponent().appendingPathComponent("Songs.swift"),
      encoding: .utf8)
    #expect(blocks.joined(separator: "\n") == code)
  }
}
