package import DiffableTerminal
import Foundation
package import Testing

/// Shows screens on a terminal, one after the other, and compares them with files.
///
/// A file is the picture, and below it the style of every column. It is in the folder `Golden` of the
/// test target. To write the files anew, run the
/// tests with `DIFFABLE_RECORD_SCREENS=1` and read what has changed.
package struct GoldenScreen {
  private var painter: ScreenPainter
  private var terminal: TerminalEmulator
  private let colorDepth: ColorDepth

  package init(size: TerminalSize, colorDepth: ColorDepth = .trueColor) {
    self.colorDepth = colorDepth
    painter = ScreenPainter(colorDepth: colorDepth)
    terminal = TerminalEmulator(size: size)
  }

  /// Shows a screen and compares what a terminal makes of it with a file.
  package mutating func show(
    _ screen: Screen, matches name: String, from test: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if screen.size != terminal.size { terminal.resize(to: screen.size) }
    terminal.feed(painter.paint(screen))
    // What is sent for a change leaves what is sent for the whole.
    var fresh = TerminalEmulator(size: screen.size)
    var other = ScreenPainter(colorDepth: colorDepth)
    fresh.feed(other.paint(screen))
    #expect(fresh.text == terminal.text, sourceLocation: sourceLocation)
    #expect(fresh.stylePicture == terminal.stylePicture, sourceLocation: sourceLocation)

    let picture = terminal.text + "\n---\n" + terminal.stylePicture + "\n"
    let file = URL(fileURLWithPath: test).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["DIFFABLE_RECORD_SCREENS"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(picture.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(
      picture == expected, "\(name) shows:\n\(picture)", sourceLocation: sourceLocation)
  }
}
