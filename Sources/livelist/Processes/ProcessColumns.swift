import DiffableTerminal

/// The columns of the list, and their widths for the width of a terminal.
struct ProcessColumns: Equatable, Sendable {
  static let mark = 2
  static let number = 7
  static let processor = 7
  static let memory = 10
  static let user = 10
  private static let gap = 1
  private static let leastCommand = 12

  let showsProcessor: Bool
  let showsMemory: Bool
  let showsUser: Bool
  /// The width that is left for the command.
  let command: Int

  /// Omits columns, the least important first, until there is space for the command.
  init(width: Int, showsUser wantsUser: Bool) {
    var room = width - ProcessColumns.mark - ProcessColumns.number - ProcessColumns.gap
    func fits(_ column: Int) -> Bool {
      guard room - column - ProcessColumns.gap >= ProcessColumns.leastCommand else { return false }
      room -= column + ProcessColumns.gap
      return true
    }
    showsProcessor = fits(ProcessColumns.processor)
    showsMemory = fits(ProcessColumns.memory)
    showsUser = wantsUser && fits(ProcessColumns.user)
    command = max(0, room)
  }

  /// One row, without the columns that are omitted in a narrow terminal.
  func row(number: String, processor: String, memory: String, user: String, command: String)
    -> String
  {
    var cells = [number.aligned(.right, columns: ProcessColumns.number)]
    if showsProcessor { cells.append(processor.aligned(.right, columns: ProcessColumns.processor)) }
    if showsMemory { cells.append(memory.aligned(.right, columns: ProcessColumns.memory)) }
    if showsUser { cells.append(user.aligned(.left, columns: ProcessColumns.user)) }
    cells.append(command.truncated(toColumns: self.command))
    return cells.joined(separator: String(repeating: " ", count: ProcessColumns.gap))
  }

  /// The titles of the columns, with a sign at the one by which the rows are sorted.
  ///
  /// If there is no space for that column, the title of the commands says how the rows are sorted, and
  /// without space for this, nothing else is said.
  func titles(sortedBy order: ProcessOrder) -> String {
    func title(_ column: ProcessOrder) -> String { column == order ? order.title : column.name }
    let isShown =
      switch order {
      case .cpu: showsProcessor
      case .memory: showsMemory
      case .pid: true
      }
    let margin = String(repeating: " ", count: ProcessColumns.mark)
    let sorted = ["COMMAND, sorted by ", "COMMAND by ", ""].map { $0 + order.title }
    let commands = isShown ? ["COMMAND"] : sorted
    guard isShown || command >= order.title.columnCount else { return order.title }
    return margin
      + row(
        number: title(.pid), processor: title(.cpu), memory: title(.memory), user: "USER",
        command: commands.first { $0.columnCount <= command } ?? commands[commands.count - 1])
  }
}

extension ProcessOrder {
  fileprivate var name: String {
    switch self {
    case .cpu: "CPU %"
    case .memory: "MEMORY"
    case .pid: "PID"
    }
  }

  /// The title of the column by which rows are sorted: the most usage, or the least number, is first.
  var title: String { (self == .pid ? "▴" : "▾") + name }
}
