import Diffable
import DiffableSync
import Foundation

/// What those who write on a board may change, and what their cards must be like.
enum BoardRules {
  static let titleLength = 100
  /// In UTF-8: as many as 100 characters of any script have.
  static let titleBytes = 400
  static let cards = 500

  /// Refuses a change that breaks a rule, and tidies titles.
  static func decide(
    on change: ProposedChange<BoardSource.Batch>, _ draft: inout BoardSource.Batch.Draft
  ) throws(Refusal) {
    // What a proposal changes at most is bounded by the limits of its text.
    for change in change.changes {
      switch change {
      case .insertItem(let id, _):
        guard id.wholeMatch(of: /[A-Za-z0-9-]{1,40}/) != nil else {
          throw Refusal(code: "identifier", reason: "The card has a name that cannot be used.")
        }
        try checkTitle(of: id, &draft)
      case .updateItem(let id, _): try checkTitle(of: id, &draft)
      case .moveItem, .deleteItem: break
      case .renameItem:
        throw Refusal(code: "identifier", reason: "A card keeps its identifier.")
      case .insertSection(let column, _, _):
        throw Refusal(code: "column", reason: "There is no column “\(column)”.")
      case .deleteSection, .moveSection, .updateSection:
        throw Refusal(code: "column", reason: "The columns of this board cannot be changed.")
      }
    }
    guard draft.snapshot.numberOfItems <= cards else {
      throw Refusal(code: "full", reason: "The board has room for \(cards) cards.")
    }
  }

  private static func checkTitle(
    of id: String, _ draft: inout BoardSource.Batch.Draft
  ) throws(Refusal) {
    guard var card = draft.model(for: id) else { return }
    let title = Title.tidied(card.title)
    guard Title.isVisible(title) else {
      throw Refusal(code: "title", reason: "A card needs a title.")
    }
    // A character may have any number of accents. The bytes are counted first, as that takes no time.
    guard title.utf8.count <= titleBytes else {
      throw Refusal(code: "title", reason: "A title has at most \(titleBytes) bytes.")
    }
    guard title.count <= titleLength else {
      throw Refusal(
        code: "title", reason: "A title has at most \(titleLength) characters, not \(title.count).")
    }
    guard title != card.title else { return }
    card.title = title
    draft.setModel(card)
  }
}

extension ServedList {
  /// A board that pages may change.
  static func board(_ source: BoardSource) -> ServedList {
    ServedList("board", source, deciding: BoardRules.decide)
  }
}
