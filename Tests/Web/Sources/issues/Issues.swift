import Diffable
import DiffableQueries
import GRDB

struct Issue: Identifiable, Codable, Equatable, FetchableRecord, PersistableRecord {
  let id: Int64
  var team: String
  var milestone: String
  var parent: Int64?
  var priority: Int
  var title: String
  var isOpen = true

  static func createTable(in db: Database) throws {
    try db.create(table: "issue") { table in
      table.primaryKey("id", .integer)
      table.column("team", .text).notNull()
      table.column("milestone", .text).notNull()
      table.column("parent", .integer)
      table.column("priority", .integer).notNull()
      table.column("title", .text).notNull()
      table.column("isOpen", .boolean).notNull()
    }
    try db.create(index: "open", on: "issue", columns: ["team", "isOpen", "id"])
  }
}

/// SQL filters: the open issues of a team.
func openIssues(of team: String, in db: Database) throws -> [Issue] {
  try Issue.fetchAll(
    db, sql: "SELECT * FROM issue WHERE team = ? AND isOpen ORDER BY id", arguments: [team])
}

/// Keeps a list as the database has it, until the task is cancelled.
func follow(
  _ database: DatabasePool, team: String, in source: ModelSource<SingleSection, Issue>
) async throws {
  let issues = ValueObservation.tracking { db in try openIssues(of: team, in: db) }
  try await source.follow(issues.values(in: database, bufferingPolicy: .bufferingNewest(1)))
}

/// A query sorts, groups and folds: the urgent issues first, in milestones, below their parents.
func board(
  of issues: ModelSource<SingleSection, Issue>
) -> DerivedSource<ModelBatch<SingleSection, Issue>, ModelBatch<String, Issue>> {
  issues.derived { query in
    query.sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
      .grouped(by: { $0.milestone })
      .outlined(by: { $0.parent })
  }
}
