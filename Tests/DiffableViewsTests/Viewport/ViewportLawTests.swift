import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("What is on the screen stays there")
struct ViewportLawTests {
  /// A view with random rows, scrolled somewhere.
  private struct Trial: CustomStringConvertible {
    let seed: UInt64
    var generator: SnapshotGenerator<Int, Int>
    var view: LineView

    var description: String { "seed \(seed), \(view.list)" }

    init(seed: UInt64) {
      self.seed = seed
      generator = SnapshotGenerator(seed: seed, section: { $0 }, item: { $0 })
      view = LineView(
        height: 1 + generator.random.number(below: 12),
        estimate: generator.random.chance(oneIn: 3) ? 3 : 1,
        hasHeaders: generator.random.chance(oneIn: 2))
      view.viewport.sticksToEnd = generator.random.chance(oneIn: 3)
      view.list = generator.snapshot(.uneven(sections: 3, items: 30))
      chooseHeights()
      view.settle()
      scroll()
    }

    /// Gives rows without a height one.
    mutating func chooseHeights() {
      for item in view.list.itemIdentifiers where view.heights[item] == nil {
        let highest = generator.random.chance(oneIn: 6) ? 20 : 4
        view.heights[item] = 1 + generator.random.number(below: highest)
      }
    }

    mutating func scroll() {
      switch generator.random.number(below: 6) {
      case 0: view.hold(.start)
      case 1: view.hold(.end)
      default: view.scroll(by: generator.random.number(below: 60) - 20)
      }
      view.viewport.focus =
        generator.random.chance(oneIn: 3)
        ? generator.random.element(of: view.visibleRows)?.path : nil
    }

    mutating func nextList() -> Snapshot<Int, Int> {
      if generator.random.chance(oneIn: 4) {
        // All that is visible goes, perhaps with what is around it.
        var list = view.list
        let rows = view.rows.map(\.item)
        let visible = Set(view.visibleRows.map(\.item))
        let first = rows.firstIndex(where: visible.contains) ?? 0
        let more = generator.random.number(below: 3)
        list.deleteItems(rows[max(0, first - more)..<min(rows.count, first + visible.count + more)])
        return list
      }
      let change = generator.random.element(of: SnapshotChange.allCases) ?? .none
      return generator.changing(view.list, by: change)
    }
  }

  @Test func `Lengths that are no numbers leave an offset that is one`() {
    let extremes = [0, 1, -1, .nan, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude]
    let path = ItemPath(section: 0, item: 0)
    let anchors: [ListAnchor] =
      [.start, .end, .offset] + ListScrollPosition.allCases.map { .target(path, $0) }
      + extremes.map { .row(path, distance: $0) }
    for length in extremes {
      for contentLength in extremes {
        for anchor in anchors {
          var viewport = Viewport(length: 10)
          viewport.resize(to: length)
          viewport.hold(anchor)
          viewport.settle(contentLength: contentLength) { _ in 5..<1e300 }
          #expect(!viewport.offset.isNaN && viewport.offset >= 0, "\(length), \(contentLength)")
          viewport.scroll(to: length)
          #expect(!viewport.offset.isNaN && viewport.offset >= 0, "\(length), \(contentLength)")
          viewport.observe(offset: length, length: length, contentLength: contentLength, rows: [])
          #expect(!viewport.offset.isNaN, "\(length), \(contentLength)")
          _ = viewport.visibleRange
        }
      }
    }
  }

  // MARK: Laws 1, 3, 5 and 6

  @Test func `Rows that a batch does not move do not move`() throws {
    for seed in 0..<rounds(400 as UInt64) {
      var trial = Trial(seed: seed)
      for step in 0..<6 {
        let before = trial.view
        let new = trial.nextList()
        let keepsPlace = trial.generator.random.chance(oneIn: 4)
        // Rows that are measured again have their old height, or another one.
        let refreshed = trial.generator.random.sample(before.list.itemIdentifiers, oneIn: 3)
        let resized = trial.generator.random.sample(refreshed, oneIn: 4)
        for item in resized { trial.view.heights[item] = 1 + (item + step) % 5 }
        let known = trial.view.heights
        trial.view.list = new
        trial.chooseHeights()
        let heights = trial.view.heights
        trial.view = before
        trial.view.heights = heights.merging(known) { _, known in known }
        try trial.view.show(new, forgetting: Set(refreshed), keepsPlace: keepsPlace)
        let faults = try Self.faults(from: before, to: trial.view, keepsPlace: keepsPlace)
        #expect(faults == [], "\(trial), step \(step)")
        if trial.generator.random.chance(oneIn: 2) { trial.scroll() }
      }
    }
  }

  /// What is wrong with the screen after a batch, found without knowing how it came about.
  static func faults(
    from before: LineView, to after: LineView, keepsPlace: Bool
  ) throws -> [String] {
    let viewport = after.viewport
    if before.viewport.anchor == .end {
      return viewport.isAtEnd ? [] : ["The end was left"]
    }
    if before.viewport.anchor == .start, !keepsPlace {
      return viewport.offset == 0 ? [] : ["The beginning was left"]
    }
    let difference = try after.list.difference(from: before.list)
    let map = PositionMap(difference)
    func stays(_ row: LineView.Row) -> Bool {
      guard let path = map.newPath(forOld: row.path) else { return false }
      return !difference.itemMoves.contains { $0.from == row.path }
        && !difference.sectionMoves.contains { $0.to == path.section }
    }
    // A renamed row stays the same row.
    func name(_ row: LineView.Row) -> Int? {
      map.newPath(forOld: row.path).flatMap(after.list.itemIdentifier(for:))
    }
    func remains(_ row: LineView.Row) -> Bool { name(row) != nil }
    func isOpen(_ row: LineView.Row) -> Bool {
      row.span.upperBound > before.viewport.offset + before.viewport.covered.start
    }
    func gapFaults(_ row: LineView.Row) -> [String] {
      // Its beginning is seen, below a pinned header.
      guard let place = name(row).flatMap(after.place(of:)), place >= viewport.covered.start,
        place < viewport.length
      else { return ["\(row) is next to the gap, but not seen"] }
      return []
    }
    // What is loaded before the first row leaves the last row in place.
    let rows = keepsPlace ? before.visibleRows.reversed() : before.visibleRows
    let visible = rows.filter(isOpen) + rows.filter { !isOpen($0) }
    // Where headers cover everything, no row has a place on the screen.
    guard let first = visible.first, isOpen(first),
      before.viewport.length > (before.hasHeaders ? 1 : 0)
    else { return [] }
    let focused = visible.first { $0.path == before.viewport.focus && remains($0) }
    if let row = focused ?? visible.first(where: stays) {
      return placeFaults(row, named: name(row), from: before, to: after)
    }
    let lowest = visible.map(\.path).min() ?? first.path
    let highest = visible.map(\.path).max() ?? first.path
    let neighbours = [
      before.rows.first { $0.path > highest && remains($0) },
      before.rows.last { $0.path < lowest && remains($0) },
    ].compactMap(\.self)
    if let neighbour = neighbours.first(where: stays) { return gapFaults(neighbour) }
    if let row = visible.first(where: remains) {
      return placeFaults(row, named: name(row), from: before, to: after)
    }
    return neighbours.first.map(gapFaults) ?? []
  }

  /// Whether a row is at its place, or as near to it as the content allows.
  ///
  /// - Parameter name: The item that the row has now.
  private static func placeFaults(
    _ row: LineView.Row, named name: Int?, from before: LineView, to after: LineView
  ) -> [String] {
    guard let name, let old = before.place(of: row.item), let new = after.place(of: name) else {
      return ["\(row) has gone"]
    }
    let height = Double(after.heights[name] ?? 1)
    // A row that became shorter keeps its last line, and the header does not cover it.
    let wasOpen = old + (row.span.upperBound - row.span.lowerBound) > before.viewport.covered.start
    let header = after.hasHeaders && wasOpen && after.viewport.length > 1 ? 1.0 : 0
    let wanted = max(old, header + min(0, 1 - height))
    if new == wanted { return [] }
    let isAtLimit = new < wanted ? after.viewport.offset == 0 : after.viewport.isAtEnd
    return isAtLimit ? [] : ["\(row) was at \(old) and is at \(new)"]
  }

  // MARK: Law 2

  @Test func `Rows that are measured again leave the screen as it was`() throws {
    for seed in 0..<rounds(200 as UInt64) {
      var trial = Trial(seed: seed)
      let screen = trial.view.screen
      try trial.view.show(trial.view.list, forgetting: Set(trial.view.list.itemIdentifiers))
      #expect(trial.view.screen == screen, "\(trial)")
    }
  }

  // MARK: Law 3

  @Test func `A list that sticks to its end shows its end after every event`() throws {
    for seed in 0..<rounds(200 as UInt64) {
      var trial = Trial(seed: seed)
      trial.view.viewport.sticksToEnd = true
      trial.view.hold(.end)
      #expect(trial.view.viewport.anchor == .end, "\(trial)")
      for _ in 0..<6 {
        if trial.generator.random.chance(oneIn: 3) {
          trial.view.resize(to: trial.generator.random.number(below: 12))
        } else {
          let new = trial.nextList()
          if let last = new.itemIdentifiers.last {
            trial.view.heights[last] = 1 + trial.generator.random.number(below: 30)
            trial.view.measured[last] = nil
          }
          try trial.view.show(new)
        }
        let last = trial.view.contentLength - 1
        #expect(trial.view.viewport.isAtEnd, "\(trial)")
        if last >= 0, trial.view.viewport.length > 0 {
          #expect(trial.view.viewport.visibleRange.contains(last), "\(trial)")
        }
      }
    }
  }

  // MARK: Law 4

  @Test func `From the end to the beginning, every line passes once`() {
    for seed in 0..<rounds(100 as UInt64) {
      for step in [1, 0] {
        var trial = Trial(seed: seed)
        trial.view.measured = [:]
        trial.view.viewport.sticksToEnd = false
        trial.view.hold(.end)
        #expect(trial.view.viewport.isAtEnd, "\(trial)")
        let height = Int(trial.view.viewport.length)
        let distance = step == 1 ? 1 : max(1, height - 1)
        var lines = trial.view.screen
        while !trial.view.viewport.isAtStart {
          let before = trial.view.screen
          trial.view.scroll(by: -distance)
          let shift = zip(trial.view.screen.indices, trial.view.screen).first { $1 == before.first }
          let moved = shift?.0 ?? height
          #expect(
            moved == distance || trial.view.viewport.isAtStart && moved < distance,
            "\(trial), \(before) → \(trial.view.screen)")
          lines.insert(contentsOf: trial.view.screen.prefix(moved), at: 0)
          guard moved > 0 else { break }
        }
        var whole = trial.view
        whole.resize(to: Int(trial.view.contentLength))
        #expect(lines.filter { $0 != .nothing } == whole.screen, "\(trial)")
      }
    }
  }

  // MARK: Law 7

  @Test func `A view without length keeps its place`() throws {
    for seed in 0..<rounds(200 as UInt64) {
      var trial = Trial(seed: seed)
      let height = Int(trial.view.viewport.length)
      let (screen, anchor) = (trial.view.screen, trial.view.viewport.anchor)
      let anchored = anchor.path.flatMap(trial.view.list.itemIdentifier(for:))
      let place = anchored.flatMap(trial.view.place(of:))
      trial.view.resize(to: 0)
      #expect(trial.view.viewport.anchor == anchor, "\(trial)")
      var list = trial.view.list
      if let anchored { try list.insertItems([900, 901, 902], beforeItem: anchored) }
      try trial.view.show(list)
      try trial.view.show(trial.view.list)
      trial.view.resize(to: height)
      if let anchored {
        #expect(trial.view.place(of: anchored) == place, "\(trial)")
      } else {
        #expect(trial.view.screen == screen, "\(trial)")
      }
    }
  }

  @Test func `A view that was longer for a while shows what it showed before`() {
    for seed in 0..<rounds(200 as UInt64) {
      for sticksToEnd in [false, true] {
        var trial = Trial(seed: seed)
        trial.view.viewport.sticksToEnd = sticksToEnd
        let height = Int(trial.view.viewport.length)
        let screen = trial.view.screen
        for _ in 0..<3 {
          let more = trial.generator.random.number(below: 2 * Int(trial.view.contentLength) + 2)
          trial.view.resize(to: height + more)
        }
        trial.view.resize(to: height)
        #expect(trial.view.screen == screen, "\(trial), sticks to its end: \(sticksToEnd)")
      }
    }
  }

  @Test func `A list that is to stick to its end once its view is longer stays there`() {
    var tried = 0
    for seed in 0..<rounds(200 as UInt64) {
      var trial = Trial(seed: seed)
      trial.view.viewport.sticksToEnd = false
      let height = Int(trial.view.viewport.length)
      trial.view.resize(to: height + Int(trial.view.contentLength) + 1)
      guard trial.view.viewport.isAtEnd else { continue }
      tried += 1
      trial.view.viewport.sticksToEnd = true
      trial.view.resize(to: height)
      #expect(trial.view.viewport.isAtEnd, "\(trial)")
    }
    #expect(tried > 0)
  }

  // MARK: Showing a row

  @Test func `A row is shown where it is wanted, however high it turns out to be`() {
    for seed in 0..<rounds(200 as UInt64) {
      let positions = ListScrollPosition.allCases
      for (number, position) in (positions + positions).enumerated() {
        var trial = Trial(seed: seed)
        let (rows, heights) = (trial.view.rows, trial.view.heights)
        // Any row, and the highest one.
        let row =
          number < positions.count
          ? trial.generator.random.element(of: rows)
          : rows.max { heights[$0.item] ?? 1 < heights[$1.item] ?? 1 }
        guard let row else { continue }
        let before = trial.view
        trial.view.hold(.target(row.path, position))
        let (viewport, height) = (trial.view.viewport, Double(trial.view.heights[row.item] ?? 1))
        let place = trial.view.place(of: row.item) ?? .nan
        let end = place + height
        // The header of a section is before each of its rows, pinned or not; without room it may cover.
        let header = trial.view.hasHeaders && viewport.length > 1 ? 1.0 : 0
        let room = viewport.length - header
        let isAtLimit = viewport.isAtStart || viewport.isAtEnd
        #expect(place < viewport.length && end > 0, "\(trial) \(row)")
        let fits = height <= room
        switch position {
        case .top:
          #expect(place == viewport.covered.start || place <= 1 || isAtLimit, "\(trial) \(row)")
        case .middle where fits:
          let above = place
          #expect(abs(above - (viewport.length - end)) <= 2 || isAtLimit, "\(trial) \(row)")
        case .bottom where fits: #expect(end == viewport.length || isAtLimit, "\(trial) \(row)")
        case .nearest where fits:
          #expect(place >= 0 && end <= viewport.length, "\(trial) \(row)")
          let old = before.place(of: row.item) ?? .nan
          let start = before.viewport.covered.start
          let wasShown =
            before.measured[row.item] == Int(height) && old >= start
            && old + height <= before.viewport.length
          if wasShown { #expect(trial.view.screen == before.screen, "\(trial) \(row)") }
        case .middle, .bottom:
          // There is no room for the whole row, so its beginning is seen.
          #expect(place >= viewport.covered.start, "\(trial) \(row)")
        case .nearest: break
        }
      }
    }
  }

  // MARK: Cost

  @Test func `A change costs what it changes, not what the list has`() throws {
    var counts = 0
    let extent = SnapshotDifference.Extent(sections: 1) { _ in
      counts += 1
      return 100_000
    }
    var viewport = Viewport(length: 10)
    viewport.observe(
      offset: 50_000, length: 10, contentLength: 100_000,
      rows: (50_000..<50_010).map {
        VisibleRow(path: ItemPath(section: 0, item: $0), span: Double($0)..<Double($0 + 1))
      })
    var difference = SnapshotDifference()
    difference.itemDeletes.append(section: 0, items: 10..<99_990)
    let anchor = viewport.anchor(through: difference, of: extent)
    #expect(anchor == .row(ItemPath(section: 0, item: 99_990), distance: 0))
    #expect(counts < 10)
  }
}
