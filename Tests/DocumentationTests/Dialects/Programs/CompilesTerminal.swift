// compiles
import Diffable
import DiffableTerminal
import DiffableViews
import Foundation

func show(_ source: DataSourceActor<String, String>) async throws {
  let environment = ProcessInfo.processInfo.environment
  guard let terminal = Terminal.standard(environment: environment) else {
    for await batch in source.updates() { print(batch) }
    return
  }
  let names = CellRegistration<TerminalCell, String> { cell, path, name in
    cell.line = StyledText(name)
  }
  let list = TerminalList(size: terminal.size)
  let controller = ListController<String, String, TerminalList>(host: list) { cells, path, name in
    try cells.dequeueConfiguredReusableCell(using: names, for: path, item: name)
  }

  let program = TerminalProgram(
    terminal: terminal, colorDepth: ColorDepth(environment: environment))
  program.screen = { size in
    list.size = size
    return Screen(size: size, lines: list.lines)
  }
  program.keyHandler = { key in key == .character("q") ? .quit : .handled(list.press(key)) }
  list.changeHandler = { program.setNeedsDisplay() }
  _ = try await program.run { await controller.follow(source) }
}
