import Diffable
import DiffableTesting
import DiffableViews

/// A list view of lines that lays out everything each time, and obeys a viewport.
struct LineView {
  /// What a line of the screen shows.
  enum Line: Hashable {
    case header(Int)
    case row(Int, line: Int)
    case nothing
  }

  var list = Snapshot<Int, Int>()
  /// The heights of rows, by item; others have one line.
  var heights: [Int: Int] = [:]
  /// The heights that the view knows; it estimates others.
  var measured: [Int: Int] = [:]
  let estimate: Int
  let hasHeaders: Bool
  var viewport: Viewport
  /// The number of times that a row was measured.
  private(set) var measurements = 0

  init(height: Int, estimate: Int = 1, hasHeaders: Bool = false) {
    (self.estimate, self.hasHeaders) = (estimate, hasHeaders)
    viewport = Viewport(length: Double(height))
  }

  // MARK: Layout

  struct Row {
    let item: Int
    let path: ItemPath
    let span: Range<Double>
  }

  /// All rows from top to bottom.
  var rows: [Row] { layout.rows }
  var contentLength: Double { layout.length }

  private struct Layout {
    var rows: [Row] = []
    var headers: [(section: Int, place: Range<Double>)] = []
    var length = 0.0
  }

  private var layout: Layout {
    var layout = Layout()
    for (index, section) in list.sectionIdentifiers.enumerated() {
      let start = layout.length
      if hasHeaders { layout.length += 1 }
      for (number, item) in list.itemIdentifiers(inSection: section).enumerated() {
        let end = layout.length + Double(measured[item] ?? estimate)
        layout.rows.append(
          Row(item: item, path: ItemPath(section: index, item: number), span: layout.length..<end))
        layout.length = end
      }
      layout.headers.append((section, start..<layout.length))
    }
    return layout
  }

  /// The length at the top that a pinned header covers.
  private var covered: Viewport.Covered {
    guard hasHeaders else { return Viewport.Covered() }
    let offset = viewport.offset
    let section = layout.headers.first { $0.place.contains(offset) }?.place
    guard let section, section.lowerBound < offset else { return Viewport.Covered() }
    return Viewport.Covered(start: min(1, section.upperBound - offset))
  }

  // MARK: What happens

  /// Obeys the viewport, and measures what becomes visible.
  mutating func settle() {
    var covered = Viewport.Covered()
    var seen: Set<Int> = []
    var isSettled = false
    while !isSettled {
      let rows = rows
      viewport.settle(contentLength: contentLength, covered: covered) { path in
        rows.first { $0.path == path }?.span
      }
      var hasChanged = false
      for row in visibleRows where seen.insert(row.item).inserted {
        measurements += 1
        let height = heights[row.item] ?? 1
        if measured.updateValue(height, forKey: row.item) ?? estimate != height {
          hasChanged = true
        }
      }
      let former = covered
      covered.formUnion(self.covered)
      isSettled = !hasChanged && covered == former
    }
    viewport.rest(
      rows: visibleRows.map { VisibleRow(path: $0.path, span: $0.span) }, covered: self.covered)
  }

  var visibleRows: [Row] { rows(in: viewport.visibleRange) }

  private func rows(in range: Range<Double>) -> [Row] {
    rows.filter { $0.span.lowerBound < range.upperBound && $0.span.upperBound > range.lowerBound }
  }

  /// Shows a batch; items in `forgotten` have to be measured again.
  mutating func show(
    _ new: Snapshot<Int, Int>, forgetting forgotten: Set<Int> = [], keepsPlace: Bool = false
  ) throws {
    let difference = try new.difference(from: list)
    let anchor = viewport.anchor(
      through: difference, of: SnapshotDifference.Extent(list.base), keepsPlace: keepsPlace)
    let map = PositionMap(difference)
    viewport.focus = viewport.focus.flatMap(map.newPath(forOld:))
    list = new
    for item in forgotten { measured[item] = nil }
    viewport.hold(moved(anchor, by: map))
    settle()
  }

  private func moved(_ anchor: ListAnchor, by map: PositionMap) -> ListAnchor {
    switch anchor {
    case .start, .end, .offset: anchor
    case .row(let path, let distance): .row(map.newPath(forOld: path) ?? path, distance: distance)
    case .target(let path, let place): .target(map.newPath(forOld: path) ?? path, place)
    }
  }

  mutating func scroll(by lines: Int) {
    viewport.scroll(to: viewport.offset + Double(lines))
    settle()
  }

  mutating func hold(_ anchor: ListAnchor) {
    viewport.hold(anchor)
    settle()
  }

  mutating func resize(to height: Int) {
    viewport.resize(to: Double(height))
    settle()
  }

  // MARK: What is seen

  /// The distance from the top of the screen to a row; `nil` if it does not exist.
  func place(of item: Int) -> Double? {
    rows.first { $0.item == item }.map { $0.span.lowerBound - viewport.offset }
  }

  /// The lines of the screen, without pinned headers.
  var screen: [Line] {
    let layout = layout
    return (0..<Int(viewport.length)).map { number in
      let line = viewport.offset + Double(number)
      if let row = layout.rows.first(where: { $0.span.contains(line) }) {
        return .row(row.item, line: Int(line - row.span.lowerBound))
      }
      let header = layout.headers.first { $0.place.contains(line) }
      return header.map { .header($0.section) } ?? .nothing
    }
  }
}
