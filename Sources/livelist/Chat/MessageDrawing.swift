import DiffableTerminal

/// Draws messages in as many lines as their texts need.
enum MessageDrawing {
  static func lines(_ message: Message, columns: Int) -> [StyledText] {
    guard let author = message.author else {
      return [StyledText(" " + message.text, .dim), StyledText()]
    }
    let name = StyledText(" " + author, TextStyle(color: color(of: author), isBold: true))
    var text = StyledText(message.text)
    if message.isUnderWay { text.append(" ▍", TextStyle(color: .cyan)) }
    let lines = text.wrapped(toColumns: columns - 2).map { StyledText(" ") + $0 }
    return [name] + lines + [StyledText()]
  }

  private static func color(of author: String) -> TextColor {
    let colors: [TextColor] = [.green, .yellow, .blue, .magenta, .red]
    switch author {
    case ChatScript.assistant: return .cyan
    case ChatScript.reader: return .white
    default:
      let sum = author.unicodeScalars.reduce(0) { $0 + Int($1.value) }
      return colors[sum % colors.count]
    }
  }
}
