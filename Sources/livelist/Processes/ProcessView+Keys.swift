import Diffable
import DiffableTerminal

extension ProcessView {
  nonisolated static let keyTables: [KeyTable<ProcessView>] = [
    KeyTable(
      "Keys", if: { !$0.field.isEditing },
      [.quit(), .help, .search] + arranging + rows + KeyBinding<ProcessView>.far() + [.escape]),
    .search,
  ]

  /// The keys that change what is shown.
  private nonisolated static let arranging: [KeyBinding<ProcessView>] = [
    KeyBinding(
      Key.typing("cmp"), hint: KeyHint(5, "sort"), help: "sort by processor, memory or number"
    ) { view, key in
      let order: ProcessOrder =
        switch key {
        case .character("c"): .cpu
        case .character("m"): .memory
        default: .pid
        }
      view.arrange { $0.order = order }
      return .handled(true)
    },
    KeyBinding(
      Key.typing("i"), hint: KeyHint(6) { $0.idleWords },
      help: "show the idle kernel threads, or hide them",
      if: { $0.arrangement.grouping != .machines }
    ) { view, _ in
      view.arrange(.immediate) { $0.showsIdleKernelThreads.toggle() }
      return .handled(true)
    },
  ]

  /// The keys of the focused row.
  private nonisolated static let rows: [KeyBinding<ProcessView>] = [
    .list([.up, .down], or: Key.typing("kj"), hint: KeyHint(8, "focus"), help: "move the focus"),
    .list(
      [.left, .right], or: Key.typing("hl"), hint: KeyHint(7, "fold"),
      help: "in a tree, fold and unfold a row, or go to its parent or first child",
      if: { $0.arrangement.grouping == .tree }),
    KeyBinding(
      [.enter], help: "in a tree, fold or unfold the row; elsewhere, make it bold, or plain again"
    ) { view, key in .handled(view.toggle() || view.list.press(key)) },
  ]

  /// What the key for idle kernel threads does, if there are any.
  private var idleWords: String? {
    guard summary.idleKernelThreads > 0 else { return nil }
    return arrangement.showsIdleKernelThreads
      ? "hide idle" : "show \(summary.idleKernelThreads) idle"
  }
}
