import DiffableTerminal

extension Key {
  /// The keys that type the characters of a text.
  static func typing(_ text: String) -> [Key] { text.unicodeScalars.map(Key.character) }

  /// The key as it is printed on keyboards, or nearly so.
  var name: String {
    switch self {
    case .character(" "): "Space"
    case .character(let scalar): String(scalar)
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .pageUp: "Page Up"
    case .pageDown: "Page Down"
    case .home: "Home"
    case .end: "End"
    case .enter: "Enter"
    case .tab: "Tab"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .delete: "Delete"
    case .shift(let key): "Shift \(key.name)"
    }
  }

  /// The key that is pressed together with Shift.
  private var shifted: Key? { if case .shift(let key) = self { key } else { nil } }

  private var isArrow: Bool { [.up, .down, .left, .right].contains(self) }

  /// Several keys that do one thing: `↑↓`, `c m p`, `Home, End`, `Shift ↑↓`.
  static func names(of keys: [Key]) -> String {
    let shifted = keys.compactMap(\.shifted)
    if !keys.isEmpty, shifted.count == keys.count { return "Shift " + names(of: shifted) }
    let names = keys.map(\.name)
    if keys.allSatisfy(\.isArrow) { return names.joined() }
    return names.joined(separator: names.contains { $0.count > 1 } ? ", " : " ")
  }
}
