import Diffable
import DiffablePages

struct PagedRow: Identifiable, Equatable, Sendable {
  let id: Int
  var text = ""
}

/// A backend whose rows ascend, and that answers at most so many at once.
struct PagedBackend: Sendable {
  /// What a cursor is.
  enum Cursors: String, Sendable {
    /// The identifier of a row: nothing is repeated or skipped, whatever comes and goes.
    case rows
    /// The number of rows before: repeats what is pushed on by a new row, and skips what has moved up.
    case indices
  }

  var rows: [PagedRow]
  var cursors = Cursors.rows
  /// Whether pages have a cursor that leads back.
  var isTwoWay = true
  /// Whether pages say how many rows there are before and after.
  var saysCounts = false
  /// The identifier that the first page begins with, or the next greater one.
  var first = Int.min
  var cap = 2

  init(_ ids: some Sequence<Int>, cap: Int = 2, isTwoWay: Bool = true) {
    rows = ids.map { PagedRow(id: $0, text: "new") }
    (self.cap, self.isTwoWay) = (cap, isTwoWay)
  }

  func page(for request: PageRequest<Int>) -> Page<PagedRow, Int> {
    let size = min(request.size, cap)
    let range: Range<Int>
    switch request.place {
    case .first: range = from(index { $0.id >= first }, size)
    case .after(let cursor):
      range = from(cursors == .rows ? index { $0.id > cursor } : min(cursor, rows.count), size)
    case .before(let cursor):
      let end = cursors == .rows ? index { $0.id >= cursor } : min(cursor, rows.count)
      range = max(0, end - size)..<end
    }
    let (hasPrevious, hasNext) = (range.lowerBound > 0, range.upperBound < rows.count)
    // A page without rows has nothing to name by a row.
    let names = rows[range].map(\.id)
    return Page(
      Array(rows[range]),
      previous: hasPrevious && isTwoWay
        ? cursors == .rows ? names.first ?? rows[range.lowerBound - 1].id + 1 : range.lowerBound
        : nil,
      next: hasNext
        ? cursors == .rows ? names.last ?? rows[range.upperBound].id - 1 : range.upperBound : nil,
      countBefore: saysCounts ? range.lowerBound : nil,
      countAfter: saysCounts ? rows.count - range.upperBound : nil)
  }

  private func index(where isThere: (PagedRow) -> Bool) -> Int {
    rows.firstIndex(where: isThere) ?? rows.count
  }

  private func from(_ index: Int, _ size: Int) -> Range<Int> {
    index..<min(rows.count, index + size)
  }
}
