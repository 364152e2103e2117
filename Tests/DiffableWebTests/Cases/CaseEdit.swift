import Diffable

/// A row of the lists in the cases.
struct Note: Identifiable, Codable, Equatable, Sendable {
  var id: String
  var title: String
  var isDone = false
}

/// An edit of one row, as `edits.js` has them, and what it means.
struct CaseEdit: Codable {
  struct Place: Codable {
    var section: String
    /// `nil` is before all others.
    var after: String?

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: CodingKeys.self)
      try fields.encode(section, forKey: .section)
      try fields.encode(after, forKey: .after)
    }
  }

  struct Fields: Codable {
    var title: String?
    var isDone: Bool?
  }

  var item: String
  var model: Note?
  var fields: Fields?
  var place: Place?
  var deletes: Bool?

  /// The same under the names that others have given.
  func renamed(_ names: [String: String]) -> CaseEdit {
    var edit = self
    edit.item = names[item] ?? item
    edit.model?.id = edit.item
    if let after = place?.after { edit.place?.after = names[after] ?? after }
    return edit
  }

  /// Makes the edit, if it makes sense: what it adds is not there yet, and what it changes is there.
  func apply(to draft: inout ModelDraft<String, Note>) throws {
    guard (draft.model(for: item) != nil) == (model == nil) else { return }
    if deletes == true { return draft.deleteItems([item]) }
    if let place { try put(model, at: place, in: &draft) }
    if let fields {
      try draft.update(item) { note in
        note.title = fields.title ?? note.title
        note.isDone = fields.isDone ?? note.isDone
      }
    }
  }

  /// Inserts the model, or moves the item; after an item that is gone is at the end.
  private func put(_ model: Note?, at place: Place, in draft: inout ModelDraft<String, Note>) throws
  {
    let items = draft.itemIdentifiers(inSection: place.section)
    let others = items.filter { $0 != item }
    guard let first = others.first else {
      if let model { return try draft.appendItems([model], toSection: place.section) }
      return try draft.moveItem(item, toSection: place.section)
    }
    if let after = place.after {
      let anchor = others.contains(after) ? after : others.last ?? first
      if let model { return try draft.insertItems([model], afterItem: anchor) }
      return try draft.moveItem(item, afterItem: anchor)
    }
    if let model { return try draft.insertItems([model], beforeItem: first) }
    try draft.moveItem(item, beforeItem: first)
  }
}
