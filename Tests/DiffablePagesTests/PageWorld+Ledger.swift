@testable import Diffable
@testable import DiffablePages

extension PageWorld {
  /// Each row belongs to a page that has it, and knows how many have it.
  var ledgerFaults: [String] {
    let ledger = machine.ledger
    var faults: [String] = []
    var counts: [Int: Int] = [:]
    for item in ledger.pages.values.flatMap(\.items) { counts[item, default: 0] += 1 }
    if ledger.rows.count != counts.count {
      faults.append("\(ledger.rows.count) rows on pages that have \(counts.count)")
    }
    for (item, count) in counts.sorted(by: <) {
      guard let row = ledger.rows[item] else {
        faults.append("\(item) is on a page, and not known")
        continue
      }
      if row.pageCount != count {
        faults.append("\(item) is on \(count) pages, not \(row.pageCount)")
      }
      if ledger.pages[row.owner]?.items.contains(item) != true {
        faults.append("\(item) belongs to page \(row.owner), which does not have it")
      }
      if ledger.kept[item] != nil { faults.append("what was done to \(item) is kept beside it") }
    }
    return faults
  }
}
