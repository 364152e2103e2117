import DiffableTerminal

/// What a key does in a view, or several keys that do one thing.
///
/// The view obeys it, and its help and its hints are made of it. So no key is in one of them only.
struct KeyBinding<View>: Sendable {
  typealias Condition = @MainActor @Sendable (View) -> Bool
  typealias Action = @MainActor @Sendable (View, Key) -> TerminalProgram.KeyOutcome

  /// The keys that hints name.
  let keys: [Key]
  /// Other keys that do the same; only the help names them.
  let others: [Key]
  /// Whether it takes every character.
  let takesText: Bool
  let hint: KeyHint<View>?
  /// What the keys do, in words that can follow their names.
  let help: String
  /// Whether the view has these keys in its present state.
  let isOffered: Condition
  let action: Action

  init(
    _ keys: [Key], or others: [Key] = [], hint: KeyHint<View>? = nil, help: String,
    if isOffered: @escaping Condition = { _ in true }, _ action: @escaping Action
  ) {
    (self.keys, self.others, takesText) = (keys, others, false)
    (self.hint, self.help, self.isOffered, self.action) = (hint, help, isOffered, action)
  }

  /// Every character that can be typed.
  init(text help: String, _ action: @escaping Action) {
    (keys, others, takesText, hint, isOffered) = ([], [], true, nil, { _ in true })
    (self.help, self.action) = (help, action)
  }

  /// All keys, for the help.
  var names: String {
    if takesText { return "characters" }
    return Key.names(of: keys) + (others.isEmpty ? "" : " or " + Key.names(of: others))
  }

  func takes(_ key: Key) -> Bool {
    if takesText, case .character = key { return true }
    return keys.contains(key) || others.contains(key)
  }
}

/// What the line at the bottom says of a key.
struct KeyHint<View>: Sendable {
  /// How important it is; the least number is the most important, and is shown first.
  let rank: Int
  /// What the key does at present, in one or two words; `nil` if there is nothing to say.
  let words: @MainActor @Sendable (View) -> String?

  init(_ rank: Int, _ words: String) { self.init(rank) { _ in words } }

  init(_ rank: Int, _ words: @escaping @MainActor @Sendable (View) -> String?) {
    (self.rank, self.words) = (rank, words)
  }
}
