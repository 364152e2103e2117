import Diffable
import DiffableTerminal

/// Shows batches in a terminal, and what the user does to the list.
///
/// Where the terminal is slow, taking a batch takes long, and the next one is the difference to
/// whatever the state is by then: nothing piles up.
actor ProcessRenderer {
  private let screen: ProcessScreen
  private let write: @Sendable (String) throws -> Void
  private var painter: ScreenPainter
  private var size: TerminalSize
  private var rows = LiveRows<String, ProcessID>(moment: ProcessRenderer.moment)
  private var scroll = ScrollPosition()
  private var contents = ProcessTable.Contents()
  private let metrics: @Sendable () -> DataSourceMetrics

  /// How long a row shows what happened to it.
  static let moment = Duration.milliseconds(1200)

  init(
    screen: ProcessScreen, size: TerminalSize, usesColor: Bool,
    metrics: @escaping @Sendable () -> DataSourceMetrics,
    write: @escaping @Sendable (String) throws -> Void
  ) {
    self.screen = screen
    self.size = size
    self.metrics = metrics
    self.write = write
    painter = ScreenPainter(colorDepth: usesColor ? .sixteen : .none)
  }

  func take(
    _ batch: ProcessBatch, contents new: ProcessTable.Contents,
    at now: ContinuousClock.Instant = .now
  ) throws {
    rows.take(batch, at: now)
    let before = contents
    contents = new
    // Rows on their way out show what they showed last.
    for case .item(let id, _) in rows.rows.lazy.filter({ $0.mark == .deleted }).map(\.element)
    where contents.records[id] == nil {
      contents.records[id] = before.records[id]
    }
    try draw()
  }

  /// Lets go of what has been shown long enough.
  func expire(at now: ContinuousClock.Instant = .now) throws {
    if rows.expire(at: now) { try draw() }
  }

  /// Answers whether to go on: `q` ends.
  func press(_ key: Key) throws -> Bool {
    if key == .character("q") || key == .character("Q") { return false }
    if scroll.follow(key) { try draw() }
    return true
  }

  func resize(to size: TerminalSize) throws {
    self.size = size
    try draw()
  }

  /// Lets somebody else have the terminal meanwhile, then draws everything again, in the size that
  /// the terminal has by then.
  ///
  /// Nothing is drawn while `body` runs: it keeps the actor.
  func yieldTerminal(_ body: @Sendable () throws -> TerminalSize) throws {
    size = try body()
    painter.forget()
    try draw()
  }

  private func draw() throws {
    let listed = screen.listed(rows.rows)
    scroll.fit(rowCount: listed.count, height: screen.listHeight(in: size))
    let picture = screen.draw(
      listed, visible: scroll.visibleRows, contents: contents, metrics: metrics(), size: size)
    let changes = painter.paint(picture)
    if !changes.isEmpty { try write(changes) }
  }
}
