import Diffable
import DiffableQueries
import Foundation
import GRDB

/// What one changed row costs in a live query of a database of 100,000 issues: milliseconds, medians.
///
/// For teams of 1,000 and of 10,000 open issues, by its parts; and what SQL costs that sorts and groups as well.
@main struct Figures {
  static let rounds = 60

  static func main() async throws {
    let path = NSTemporaryDirectory() + "issues-\(UUID().uuidString).sqlite"
    let database = try DatabasePool(path: path)
    try await database.write { db in try fill(db) }
    print("rows  | fetch   compare query   | fold    order   | sorted by SQL: fetch compare")
    for team in ["small", "large"] {
      try await measure(database, team)
    }
    try database.close()
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
  }

  /// A hundred thousand issues in milestones of a hundred; every tenth has the nine after it as its parts.
  private static func fill(_ db: Database) throws {
    try Issue.createTable(in: db)
    for id in 0..<100_000 as Range<Int64> {
      let team = id < 10_000 ? "large" : id < 11_000 ? "small" : "others"
      try Issue(
        id: id, team: team, milestone: "1.\(id / 100)",
        parent: id % 10 == 0 ? nil : id - id % 10, priority: Int(id * 7_919 % 5),
        title: "Issue number \(id)"
      ).insert(db)
    }
  }

  private static func measure(_ database: DatabasePool, _ team: String) async throws {
    let issues = ModelSource<SingleSection, Issue>()
    let sorted = ModelSource<String, Issue>()
    var rows = try await database.read { db in try openIssues(of: team, in: db) }
    try await issues.apply(rows)
    try await sorted.apply(rows, section: \.milestone)
    let shown = board(of: issues)
    var batches = shown.updates().makeAsyncIterator()
    var sortedBatches = sorted.updates().makeAsyncIterator()
    (_, _) = (await batches.next(), await sortedBatches.next())
    var times: [[Duration]] = Array(repeating: [], count: 7)
    for round in 0..<rounds {
      let id = rows[round * 7_919 % rows.count].id
      try await database.write { db in
        try db.execute(
          sql: "UPDATE issue SET title = ?, priority = (priority + 1) % 5 WHERE id = ?",
          arguments: ["Round \(round)", id])
      }
      times[0].append(
        try await time {
          rows = try await database.read { db in try openIssues(of: team, in: db) }
        })
      times[1].append(try await time { try await issues.apply(rows) })
      times[2].append(try await time { _ = await batches.next() })
      let parent = id - id % 10
      times[3].append(
        try await time {
          try await shown.collapseItems([parent])
          _ = await batches.next()
        })
      try await shown.expandItems([parent])
      _ = await batches.next()
      // Another order each time.
      let shift = round + 1
      times[4].append(
        try await time {
          try await shown.setQuery { query in
            query.sorted { (($0.priority + shift) % 5, $0.id) < (($1.priority + shift) % 5, $1.id) }
              .grouped(by: { $0.milestone }).outlined(by: { $0.parent })
          }
          _ = await batches.next()
        })
      var list: [Issue] = []
      times[5].append(
        try await time {
          list = try await database.read { db in
            try Issue.fetchAll(
              db,
              sql: """
                SELECT * FROM issue WHERE team = ? AND isOpen ORDER BY milestone, priority, id
                """, arguments: [team])
          }
        })
      times[6].append(
        try await time {
          try await sorted.apply(list, section: \.milestone)
          _ = await sortedBatches.next()
        })
    }
    func median(_ index: Int) -> String {
      let value = times[index].sorted()[rounds / 2] / .milliseconds(1)
      return String(format: "%-7.3f", value)
    }
    print(
      String(format: "%-5d", rows.count), "|", median(0), median(1), median(2), "|", median(3),
      median(4), "|", median(5), median(6))
  }

  private static func time(_ work: () async throws -> Void) async throws -> Duration {
    let start = ContinuousClock.now
    try await work()
    return start.duration(to: .now)
  }
}
