import Diffable
import DiffableTesting
import DiffableViews

/// A list view whose rows measure themselves: what a cell shows says how high its row is.
@MainActor
final class MeasuringView: ListHost, ScreenView {
  final class CardCell: SimulatedView {
    var card: Card?
    var kind: String?
  }

  weak var content: (any ListContent<CardCell, SimulatedView>)?
  let profile = ListProfile.collectionView
  let takesStages = true
  var viewport = Viewport(length: 9)
  /// How often everything was shown from scratch.
  private(set) var resets = 0
  private(set) var isPulled = false
  var leftovers: [String] { [] }
  /// The heights of all rows; `nil` for those that were not measured since they have changed.
  private var heights: [[Double?]] = []
  private var cells: [ItemPath: CardCell] = [:]

  private var width = 3

  private static let estimate = 2.0

  func height(_ card: Card) -> Double { card.height(width: width) }

  // MARK: What happens

  func reset(keeping anchor: ListAnchor) {
    resets += 1
    let content = content
    heights = (0..<(content?.numberOfSections ?? 0)).map {
      Array(repeating: nil, count: content?.numberOfItems(inSection: $0) ?? 0)
    }
    cells = [:]
    scroll(to: anchor, isAnimated: false)
  }

  func perform(_ stage: ListStage) {
    stage.begin()
    let (difference, old, oldCells) = (stage.difference, heights, cells)
    let map = PositionMap(difference)
    heights = (0..<(content?.numberOfSections ?? 0)).map {
      Array(repeating: nil, count: content?.numberOfItems(inSection: $0) ?? 0)
    }
    cells = [:]
    for section in old.indices where !difference.sectionReloads.contains(section) {
      for item in old[section].indices {
        let path = ItemPath(section: section, item: item)
        guard !difference.itemReloads.contains(path), let new = map.newPath(forOld: path),
          heights.indices.contains(new.section), heights[new.section].indices.contains(new.item)
        else { continue }
        heights[new.section][new.item] = old[section][item]
        cells[new] = oldCells[path]
      }
    }
    for path in difference.itemReconfigures { heights[path.section][path.item] = nil }
    scroll(to: stage.anchor, isAnimated: false)
    stage.end()
  }

  func scroll(to anchor: ListAnchor, isAnimated: Bool) {
    viewport.hold(anchor)
    settle()
  }

  func scroll(by distance: Int) -> Int {
    viewport.scroll(to: viewport.offset + Double(distance))
    settle()
    return distance
  }

  func pull(by distance: Int) {
    scroll(to: distance < 0 ? .start : .end, isAnimated: false)
    // The view moves its content itself, as those of Apple do, and says where it is.
    let offset = (distance < 0 ? 0 : end) + Double(distance)
    let rows = spans.filter { $0.span.overlaps(offset..<offset + viewport.length) }
    viewport.observe(
      offset: offset, length: viewport.length, contentLength: spans.last?.span.upperBound ?? 0,
      rows: rows)
    putAway(except: rows)
    isPulled = true
  }

  func resize(length: Int, width: Int) {
    viewport.resize(to: Double(length))
    if width != self.width {
      // The rows that are not on the screen keep their heights until they come there again.
      for path in cells.keys { heights[path.section][path.item] = nil }
      cells = [:]
    }
    self.width = width
    settle()
  }

  /// Obeys the viewport, and measures what becomes visible.
  private func settle() {
    isPulled = false
    var isMeasured = false
    while !isMeasured {
      let spans = spans
      let length = spans.last?.span.upperBound ?? 0
      viewport.settle(contentLength: length) { path in spans.first { $0.path == path }?.span }
      isMeasured = true
      for path in visible(spans).map(\.path) where cells[path] == nil || height(path) == nil {
        let cell = cells[path] ?? (try? content?.cell(for: path))
        cells[path] = cell
        let former = height(path) ?? Self.estimate
        let height = cell?.card.map(self.height) ?? Self.estimate
        heights[path.section][path.item] = height
        if former != height { isMeasured = false }
      }
    }
    let rows = visible(spans)
    putAway(except: rows)
    viewport.rest(rows: rows)
  }

  private func putAway(except rows: [VisibleRow]) {
    let paths = Set(rows.map(\.path))
    cells = cells.filter { paths.contains($0.key) }
  }

  // MARK: What is seen

  private func height(_ path: ItemPath) -> Double? { heights[path.section][path.item] }

  /// The places of all rows.
  private var spans: [VisibleRow] {
    var (spans, end) = ([VisibleRow](), 0.0)
    for section in heights.indices {
      for (item, height) in heights[section].enumerated() {
        let span = end..<end + (height ?? Self.estimate)
        spans.append(VisibleRow(path: ItemPath(section: section, item: item), span: span))
        end = span.upperBound
      }
    }
    return spans
  }

  private func visible(_ spans: [VisibleRow]) -> [VisibleRow] {
    spans.filter { $0.span.overlaps(viewport.visibleRange) }
  }

  var rows: [ScreenRow] {
    visible(spans).map {
      ScreenRow(
        path: $0.path, distance: $0.span.lowerBound - viewport.offset, height: $0.span.length,
        card: cells[$0.path]?.card)
    }
  }

  func distance(of path: ItemPath) -> Double? {
    spans.first { $0.path == path }.map { $0.span.lowerBound - viewport.offset }
  }

  var end: Double { max(0, (spans.last?.span.upperBound ?? 0) - viewport.length) }

  var numberOfSections: Int { heights.count }
  var visibleItemPaths: [ItemPath] { visible(spans).map(\.path) }
  func cell(at path: ItemPath) -> CardCell? { cells[path] }

  func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> CardCell? {
    let cell = CardCell()
    cell.kind = kind.identifier
    return cell
  }

  func reuseIdentifier(of cell: CardCell) -> String? { cell.kind }
}

extension Range<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
}
