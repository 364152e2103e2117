import Diffable
import DiffableLayout
import DiffableViews

extension TerminalList {
  /// The lines of the list: as many as it has rows, and none wider than the list.
  ///
  /// - Complexity: O(c) for c visible characters.
  public var lines: [StyledText] {
    var grid = TextGrid(columns: size.columns, rows: size.rows)
    if let layoutError {
      grid.draw(StyledText("\(layoutError)", TextStyle(color: .red)), column: 0, row: 0)
    }
    // Back to front; elements with the same z index keep their order.
    let ordered = visible.attributes.enumerated().sorted {
      ($0.element.zIndex, $0.offset) < ($1.element.zIndex, $1.offset)
    }
    for (_, attributes) in ordered {
      draw(attributes, on: &grid)
    }
    return grid.lines
  }

  private func draw(_ attributes: LayoutAttributes, on grid: inout TextGrid) {
    var frame = attributes.frame
    frame.move(axis, to: frame.start(axis) - viewport.offset)
    let rect = frame.cells
    let size = TerminalSize(columns: rect.columns, rows: rect.rows)
    let state = state(of: attributes.element)
    let picture: [StyledText]
    if case .decoration(let kind, _) = attributes.element {
      guard let drawing = decorations[kind] else { return }
      picture = drawing(size, state)
    } else {
      guard let cell = cell(of: attributes.element) else { return }
      picture = cell.picture(size: size, state: state)
    }
    grid.clear(rect)
    let isFaint = attributes.alpha < 1
    grid.draw(isFaint ? picture.map { $0.styled { $0.isDim = true } } : picture, in: rect)
  }

  func state(of element: LayoutElement) -> TerminalCell.State {
    var state = TerminalCell.State()
    switch element {
    case .item:
      state.disclosure = cell(of: element)?.disclosure
      guard let path = arrangement.item(of: element) else {
        state.mark = .deleted
        return state
      }
      state.isFocused = path == focus.path
      state.isSelected = selection.contains(path)
      state.mark = marks.mark(ofItem: path)
    case .supplementary(let kind, let path):
      guard path != .layout,
        arrangement.boundaryKinds(ofSection: path.section).contains(kind)
      else { break }
      state.mark = marks.mark(ofSection: path.section)
    case .decoration: break
    }
    return state
  }
}
