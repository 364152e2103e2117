import Diffable
import DiffableTesting
import DiffableViews

@testable import DiffableTerminal

/// A view whose rows measure themselves, with all that the world asks about it.
@MainActor
protocol ScreenView: AnyObject {
  var viewport: Viewport { get }
  /// The rows on the screen, from top to bottom.
  var rows: [ScreenRow] { get }
  /// The distance from the top of the screen to a row.
  func distance(of path: ItemPath) -> Double?
  /// How far it can be scrolled.
  var end: Double { get }
  /// How often everything was shown from scratch, as far as it knows.
  var resets: Int { get }
  /// How high the row of a card is, in a view of this width.
  func height(_ card: Card) -> Double
  /// The user scrolls.
  ///
  /// - Returns: How far; a view that is scrolled line by line stops at its ends.
  func scroll(by distance: Int) -> Int
  /// The user pulls the content beyond an end, if the view lets it, and holds it there.
  func pull(by distance: Int)
  /// Whether it is still there, as nothing has been laid out since.
  var isPulled: Bool { get }
  /// The view gets another size.
  func resize(length: Int, width: Int)
  /// What a program has found in a cell that it was to fill.
  var leftovers: [String] { get }
}

/// A row on the screen.
struct ScreenRow {
  let path: ItemPath
  /// The distance from the top of the screen to the top of the row.
  let distance: Double
  let height: Double
  /// What it shows; `nil` if the view shows something else than a card.
  let card: Card?
}

extension Card {
  /// How high its row is: the narrower a view, the higher.
  func height(width: Int) -> Double {
    let sum = id + rank + text
    return Double(1 + abs(sum) % 5 + abs(sum) % 3 * max(0, 3 - width))
  }
}

/// A list in a terminal, of which the world reads the lines.
@MainActor
final class TerminalView: ScreenView {
  let list = TerminalList(
    size: TerminalSize(columns: 3 * TerminalView.columns, rows: 9),
    layout: .rows(estimatedHeight: 2))
  private var width = 3
  /// What was on the screen when it was drawn last.
  private var drawn: [ScreenRow]?
  private(set) var leftovers: [String] = []
  /// How many columns a width of 1 means.
  private static let columns = 12

  init() {
    list.allowsFocus = false
    list.changeHandler = { [weak self] in self?.drawn = nil }
  }

  /// Lets a cell show a card in each of its lines.
  func show(_ card: Card, in cell: TerminalCell) {
    // It is empty, unless it shows its row again.
    let isOnScreen = list.visibleItemPaths.contains { list.cell(at: $0) === cell }
    if !isOnScreen, cell.drawing != nil || !cell.lines.isEmpty {
      leftovers.append("\(card) in a cell that shows something already")
    }
    let columns = Self.columns
    cell.drawing = { size, _ in
      let height = Int(card.height(width: size.columns / columns))
      return Array(repeating: StyledText("\(card.id)/\(card.rank)/\(card.text)"), count: height)
    }
  }

  var viewport: Viewport { list.viewport }
  var resets: Int { 0 }
  var isPulled: Bool { false }
  var end: Double { max(0, list.arrangement.length - viewport.length) }
  func height(_ card: Card) -> Double { card.height(width: width) }

  var rows: [ScreenRow] {
    if let drawn { return drawn }
    let rows = read()
    drawn = rows
    return rows
  }

  private var texts: [String] { list.lines.map { $0.text.split(separator: " ").joined() } }

  private func read() -> [ScreenRow] {
    let lines = texts
    return list.visibleItemPaths.sorted().compactMap { path in
      guard let span = list.arrangement.span(of: path) else { return nil }
      let first = span.lowerBound - viewport.offset
      let height = span.upperBound - span.lowerBound
      let (start, end) = (max(0, Int(first)), min(lines.count, Int(first + height)))
      guard start < end else { return nil }
      let texts = Set(lines[start..<end])
      let fields = (texts.first ?? "").split(separator: "/").compactMap { Int($0) }
      let card =
        texts.count == 1 && fields.count == 3
        ? Card(id: fields[0], rank: fields[1], text: fields[2]) : nil
      return ScreenRow(
        path: path, distance: first, height: height, card: card)
    }
  }

  func pull(by distance: Int) {}

  func distance(of path: ItemPath) -> Double? {
    list.arrangement.span(of: path).map { $0.lowerBound - viewport.offset }
  }

  func scroll(by distance: Int) -> Int {
    var count = 0
    for _ in 0..<abs(distance) {
      if distance < 0 ? viewport.offset > 0 : viewport.offset < end { count += distance.signum() }
      _ = list.press(distance < 0 ? .up : .down)
    }
    return count
  }

  func resize(length: Int, width: Int) {
    self.width = width
    list.size = TerminalSize(columns: Self.columns * width, rows: length)
  }
}
