#if SQLite
import Diffable
import DiffableSync

/// What the file says about a list.
struct ListRow {
  let number: Int
  let name: String
  let epoch: Epoch
  /// The last revision whose entry was dropped.
  var dropped: Int
  /// The last revision.
  var last: Int

  var checksum: Database.Value {
    var sum = Checksum()
    for number in [number, dropped, last] { sum.add(number) }
    sum.add(name)
    sum.add(epoch.description)
    return .integer(sum.value)
  }
}

extension Checksum {
  /// The checksum as a number of the file.
  var value: Int64 { Int64(bitPattern: bits) }
}

extension ListRow {
  fileprivate static let columns = "number, name, epoch, dropped, last, checksum"

  fileprivate init(_ row: Database.Row) throws(SQLiteFileError.Fault) {
    guard let name = row.text(1), let epoch = row.text(2).flatMap({ Epoch($0) }) else {
      throw .corrupt(reason: "what it says about a list is not readable")
    }
    self.init(
      number: Int(clamping: row.integer(0)), name: name, epoch: epoch,
      dropped: Int(clamping: row.integer(3)), last: Int(clamping: row.integer(4)))
    guard checksum.number == row.integer(5), Format.lists.contains(number),
      Format.revisions.contains(dropped), Format.revisions.contains(last), dropped <= last
    else { throw .corrupt(reason: "what it says about the list “\(name)” was changed") }
  }
}

extension Database.Value {
  fileprivate var number: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}

extension Database {
  /// All lists of the file; must be in a transaction.
  ///
  /// - Throws: ``SQLiteFileError/Fault/corrupt(reason:)`` if one is missing.
  func lists() throws(SQLiteFileError.Fault) -> [ListRow] {
    let lists = try run("SELECT \(ListRow.columns) FROM lists ORDER BY number") {
      row throws(SQLiteFileError.Fault) in
      try ListRow(row)
    }
    // No list is ever deleted. The number in the file may be any.
    let count = try number("SELECT seq FROM sqlite_sequence WHERE name = 'lists'")
    let isInOrder = lists.enumerated().allSatisfy { $0.element.number == $0.offset + 1 }
    guard count == lists.count, isInOrder else {
      throw .corrupt(reason: "it has had \(count) lists, and has \(lists.count)")
    }
    return lists
  }

  /// The list with a number.
  func list(_ number: Int) throws(SQLiteFileError.Fault) -> ListRow {
    let found = try run(
      "SELECT \(ListRow.columns) FROM lists WHERE number = ?", [.integer(number)]
    ) { row throws(SQLiteFileError.Fault) in try ListRow(row) }
    guard let list = found.first else {
      throw .corrupt(reason: "the list with the number \(number) is gone")
    }
    return list
  }

  /// Adds a list.
  func add(_ list: ListRow) throws(SQLiteFileError.Fault) {
    try run(
      "INSERT INTO lists (\(ListRow.columns)) VALUES (?, ?, ?, ?, ?, ?)",
      [
        .integer(list.number), .text(list.name), .text(list.epoch.description),
        .integer(list.dropped), .integer(list.last), list.checksum,
      ])
  }

  /// Replaces the revisions of a list.
  func set(_ list: ListRow) throws(SQLiteFileError.Fault) {
    try run(
      "UPDATE lists SET dropped = ?, last = ?, checksum = ? WHERE number = ?",
      [.integer(list.dropped), .integer(list.last), list.checksum, .integer(list.number)])
  }
}
#endif
