/// A row of a list in a terminal.
@MainActor
public final class TerminalCell {
  /// What the row shows; cut where the terminal ends.
  public var line = StyledText()
  /// What the cell was dequeued with; `nil` for a placeholder.
  let reuseIdentifier: String?

  init(reuseIdentifier: String? = nil) {
    self.reuseIdentifier = reuseIdentifier
  }
}
