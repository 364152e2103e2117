import Diffable
import DiffableSync

/// What a user does with cards, each as an edit that can be made again on what others have written; and what
/// is to be said of it.
@MainActor
final class BoardEdits {
  /// Why the last change of a card was not made, by the identifier of the card.
  private(set) var refusals: [String: String] = [:]
  /// The cards with changes that the server does not have yet.
  var pending: Set<String> = []
  /// Called with what is to be said: a change was refused, or there is none to undo.
  var messageHandler: @MainActor (String) -> Void = { _ in }
  /// The number of changes on which nobody has decided yet.
  private(set) var undecidedCount = 0 {
    didSet { if undecidedCount != oldValue { decidedHandler() } }
  }
  /// Called when that number has changed.
  var decidedHandler: @MainActor () -> Void = {}

  private let board: EditableMirror<BoardBatch>
  /// The last edit: edits are made in the order of the keys.
  private var last: Task<Void, Never>?

  init(_ board: EditableMirror<BoardBatch>) { self.board = board }

  func add(_ card: BoardCard, to column: String) {
    edit("Add", card) { try $0.appendItems([card], toSection: column) }
  }

  func setTitle(_ title: String, of card: BoardCard) {
    edit("Rename", card) { try $0.update(card.id) { $0.title = title } }
  }

  func tick(_ card: BoardCard) {
    edit("Tick", card) { try $0.update(card.id) { $0.isDone = !card.isDone } }
  }

  func delete(_ card: BoardCard) {
    edit("Delete", card) { $0.deleteItems([card.id]) }
  }

  /// Moves a card before another one, or to the end of a column if that is gone, or if there is none.
  func move(_ card: BoardCard, before anchor: String?, in column: String) {
    edit("Move", card) { draft in
      if let anchor, draft.snapshot.sectionIdentifier(containingItem: anchor) == column {
        try draft.moveItem(card.id, beforeItem: anchor)
      } else {
        try draft.moveItem(card.id, toSection: column)
      }
    }
  }

  func undo() {
    enqueue { [board, weak self] in
      let message: String
      do {
        guard try await board.undo() == nil else {
          let writes = await board.undecided
          Task {
            for write in writes {
              // The board has ended before anybody has decided.
              if case .failed(DataSourceError.finished) = await write.outcome { return }
            }
            self?.undecidedCount -= 1
          }
          return
        }
        message = "There is nothing to undo since the board was opened."
      } catch {
        message = "Nothing was undone: \(error)"
      }
      // Who quits need not wait for that.
      self?.undecidedCount -= 1
      self?.messageHandler(message)
    }
  }

  func dismissRefusal(of card: String) -> Bool { refusals.removeValue(forKey: card) != nil }

  /// Waits until all edits are shown.
  func settle() async { await last?.value }

  private func edit(
    _ name: String, _ card: BoardCard,
    _ change: @escaping @Sendable (inout BoardBatch.Draft) throws -> Void
  ) {
    refusals[card.id] = nil
    enqueue { [board, weak self] in
      guard let write = try? await board.update(named: name, change) else {
        self?.undecidedCount -= 1
        return
      }
      Task {
        switch await write.outcome {
        case .refused(let refusal): self?.refuse(card, refusal.reason)
        // The board has ended before anybody has decided.
        case .failed(DataSourceError.finished): return
        case .failed: self?.refuse(card, "Somebody has deleted it.")
        case .accepted, .withdrawn: break
        }
        self?.undecidedCount -= 1
      }
    }
  }

  private func refuse(_ card: BoardCard, _ reason: String) {
    refusals[card.id] = reason
    messageHandler("“\(card.title)” was not saved: \(reason)")
  }

  /// - Parameter act: Makes a change, which counts as undecided until it says otherwise.
  private func enqueue(_ act: @escaping @MainActor () async -> Void) {
    undecidedCount += 1
    last = Task { [last] in
      await last?.value
      await act()
    }
  }
}
