// compiles
import Diffable

import DiffableViews

final class Line {
  var text = ""
  var kind: String?
}

final class TextList: ListHost {
  var content: (any ListContent<Line, Line>)?
  let profile = ListProfile.sequential
  let takesStages = true
  private(set) var sections: [[Line]] = []

  var numberOfSections: Int { sections.count }

  func reset(keeping anchor: ListAnchor) {
    sections = (0..<(content?.numberOfSections ?? 0)).map(lines(ofSection:))
  }

  func perform(_ stage: ListStage) {
    // From here on the content answers the state after the stage.
    stage.begin()
    let difference = stage.difference
    for section in difference.sectionDeletes.ranges.joined().reversed() {
      sections.remove(at: section)
    }
    for path in difference.itemDeletes.reversed() { sections[path.section].remove(at: path.item) }
    for move in difference.itemMoves {
      let line = sections[move.from.section].remove(at: move.from.item)
      sections[move.to.section].insert(line, at: move.to.item)
    }
    for path in difference.itemInserts {
      sections[path.section].insert(line(at: path), at: path.item)
    }
    for move in difference.sectionMoves {
      sections.insert(sections.remove(at: move.from), at: move.to)
    }
    for section in difference.sectionInserts.ranges.joined() {
      sections.insert(lines(ofSection: section), at: section)
    }
    for section in difference.sectionReloads.ranges.joined() {
      sections[section] = lines(ofSection: section)
    }
    for path in difference.itemReloads { sections[path.section][path.item] = line(at: path) }
    stage.end()
  }

  private func lines(ofSection section: Int) -> [Line] {
    (0..<(content?.numberOfItems(inSection: section) ?? 0)).map {
      line(at: ItemPath(section: section, item: $0))
    }
  }

  private func line(at path: ItemPath) -> Line {
    do {
      if let line = try content?.cell(for: path) { return line }
    } catch {
      let placeholder = Line()
      placeholder.text = "(\(error))"
      return placeholder
    }
    return Line()
  }

  func dequeueCell(of kind: ReuseKind, for path: ItemPath) -> Line? {
    let line = Line()
    line.kind = kind.identifier
    return line
  }

  func reuseIdentifier(of cell: Line) -> String? { cell.kind }

  var visibleItemPaths: [ItemPath] {
    sections.indices.flatMap { section in
      sections[section].indices.map { ItemPath(section: section, item: $0) }
    }
  }

  func cell(at path: ItemPath) -> Line? {
    guard sections.indices.contains(path.section) else { return nil }
    let lines = sections[path.section]
    return lines.indices.contains(path.item) ? lines[path.item] : nil
  }
}

func show(_ source: DataSourceActor<String, Int>) async {
  let list = TextList()
  let numbers = CellRegistration<Line, Int> { line, _, number in line.text = "\(number)" }
  let controller = ListController<String, Int, TextList>(host: list) { cells, path, number in
    try cells.dequeueConfiguredReusableCell(using: numbers, for: path, item: number)
  }
  await controller.follow(source)
  print(list.sections.count)
}
