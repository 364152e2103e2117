import Diffable
import GRDB

struct Song: Identifiable, Codable, Equatable, FetchableRecord, PersistableRecord {
  let id: Int64
  var album: String
  var track: Int
  var title: String
}

/// Keeps a list as the database has it, until the task is cancelled.
func follow(_ database: DatabasePool, in source: ModelSource<String, Song>) async throws {
  let songs = ValueObservation.tracking { db in
    try Song.order(Column("album"), Column("track"), Column("id")).fetchAll(db)
  }
  let lists = songs.values(in: database, bufferingPolicy: .bufferingNewest(1))
  try await source.follow(lists, section: \.album)
}

/// Tells those who observe a database what other connections commit, until the task is cancelled.
func watch(_ database: DatabasePool, every interval: Duration) async throws {
  var version: Int?
  while true {
    let newest = try await database.writeWithoutTransaction { db in
      try Int.fetchOne(db, sql: "PRAGMA data_version")
    }
    if newest != version {
      version = newest
      // In a transaction: observers look at the end of one, even if it wrote nothing.
      try await database.write { db in try db.notifyChanges(in: .fullDatabase) }
    }
    try await Task.sleep(for: interval)
  }
}
