import DiffableTerminal

/// The keys of a view while it does one thing, such as to search.
struct KeyTable<View>: Sendable {
  /// What the view does meanwhile, as a heading of the help.
  let title: String
  /// Whether the view obeys this table at present, if it obeys none before it.
  let isActive: KeyBinding<View>.Condition
  /// The keys in the order of the help; of two that take the same key, the first offered one counts.
  let bindings: [KeyBinding<View>]

  init(
    _ title: String, if isActive: @escaping KeyBinding<View>.Condition = { _ in true },
    _ bindings: [KeyBinding<View>]
  ) {
    (self.title, self.isActive, self.bindings) = (title, isActive, bindings)
  }

  @MainActor
  func press(_ key: Key, in view: View) -> TerminalProgram.KeyOutcome {
    bindings.first { $0.takes(key) && $0.isOffered(view) }?.action(view, key) ?? .handled(false)
  }

  /// What there is to say of keys, the most important first.
  @MainActor
  func hints(in view: View) -> KeyHints {
    let hints = bindings.filter { $0.isOffered(view) }.compactMap { binding in
      binding.hint.flatMap { hint in
        hint.words(view).map { (hint.rank, KeyHints.Hint(Key.names(of: binding.keys), $0)) }
      }
    }
    return KeyHints(hints.sorted { $0.0 < $1.0 }.map { $0.1 })
  }

  /// The help, without the keys that a view does not have at present; with all keys for no view.
  @MainActor
  func help(in view: View) -> KeyHelp { help { $0.isOffered(view) } }

  /// The help with all keys.
  var help: KeyHelp { help { _ in true } }

  private func help(_ isShown: (KeyBinding<View>) -> Bool) -> KeyHelp {
    KeyHelp(
      title: title,
      entries: bindings.filter(isShown).map { KeyHelp.Entry(names: $0.names, help: $0.help) })
  }
}
