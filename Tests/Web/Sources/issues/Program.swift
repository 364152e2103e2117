import Diffable
import DiffableQueries
import Foundation
import GRDB

@main struct Program {
  static func main() async throws {
    let path = NSTemporaryDirectory() + "issues-\(UUID().uuidString).sqlite"
    let database = try DatabasePool(path: path)
    try await database.write { db in
      try Issue.createTable(in: db)
      for issue in [
        Issue(id: 1, team: "web", milestone: "1.0", priority: 1, title: "Sign in"),
        Issue(id: 2, team: "web", milestone: "1.0", parent: 1, priority: 2, title: "Passwords"),
        Issue(id: 3, team: "web", milestone: "1.0", parent: 1, priority: 1, title: "Two factors"),
        Issue(id: 4, team: "web", milestone: "1.1", priority: 3, title: "Dark mode"),
        Issue(id: 5, team: "web", milestone: "1.1", priority: 1, title: "Search"),
        Issue(id: 6, team: "data", milestone: "1.0", priority: 1, title: "Backups"),
      ] {
        try issue.insert(db)
      }
    }

    // The first rows are here before anything is shown.
    let issues = ModelSource<SingleSection, Issue>()
    try await issues.apply(database.read { db in try openIssues(of: "web", in: db) })
    let following = Task { try await follow(database, team: "web", in: issues) }
    defer { following.cancel() }

    let board = board(of: issues)
    var batches = board.updates().makeAsyncIterator()
    if let batch = await batches.next() { print(batch.snapshot) }

    // The user folds an issue.
    try await board.collapseItems([1])
    if let batch = await batches.next() { print(batch.snapshot) }

    // Others write to the database, in one transaction: an issue is done, another one gets a part.
    try await database.write { db in
      try db.execute(sql: "UPDATE issue SET isOpen = 0 WHERE id = 5")
      let icons = Issue(
        id: 7, team: "web", milestone: "1.1", parent: 4, priority: 2, title: "Icons")
      try icons.insert(db)
    }
    if let batch = await batches.next() { print(batch.snapshot, batch.difference) }

    // Both rows go to the other milestone. What is folded there stays folded.
    try await database.write { db in
      try db.execute(sql: "UPDATE issue SET milestone = '1.0' WHERE milestone = '1.1'")
    }
    if let batch = await batches.next() { print(batch.snapshot) }

    try await board.expandItems([1])
    if let batch = await batches.next() { print(batch.snapshot) }
  }
}
