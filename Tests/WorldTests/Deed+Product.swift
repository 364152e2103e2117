import Diffable

extension Deed {
  /// Does it to a draft of the product.
  func apply(to draft: inout CardDraft) throws {
    switch self {
    case .insert(let cards, let anchor): try draft.insertItems(cards, beforeItem: anchor)
    case .insertAfter(let cards, let anchor): try draft.insertItems(cards, afterItem: anchor)
    case .append(let cards, let shelf): try draft.appendItems(cards, toSection: shelf)
    case .rename(let id, let card): try draft.renameItem(id, to: card)
    case .set(let card): draft.setModel(card)
    case .setHeader(let header, let shelf): try draft.setSectionModel(header, for: shelf)
    case .upsert(let cards, let shelf): try draft.upsertItems(cards, toSection: shelf)
    case .replace(let sprouts, let shelf):
      try draft.replaceItems(inSection: shelf, with: sprouts.map(\.card))
    case .grow(let sprouts, _), .outline(let sprouts, _, _):
      try apply(to: &draft.snapshot)
      draft.setModels(sprouts.filter(\.isNew).map(\.card))
    default: try apply(to: &draft.snapshot)
    }
  }

  /// Does it to an order; models are apart.
  func apply(to state: inout CardState) throws {
    switch self {
    case .insert(let cards, let anchor): try state.insertItems(cards.map(\.id), beforeItem: anchor)
    case .insertAfter(let cards, let anchor):
      try state.insertItems(cards.map(\.id), afterItem: anchor)
    case .append(let cards, let shelf): try state.appendItems(cards.map(\.id), toSection: shelf)
    case .delete(let ids): state.deleteItems(ids)
    case .moveBefore(let id, let anchor): try state.moveItem(id, beforeItem: anchor)
    case .moveAfter(let id, let anchor): try state.moveItem(id, afterItem: anchor)
    case .moveInto(let id, let anchor): try state.moveItem(id, intoItem: anchor)
    case .moveToSection(let id, let shelf): try state.moveItem(id, toSection: shelf)
    case .rename(let id, let card): try state.renameItem(id, to: card.id)
    case .set, .setHeader: break
    case .mark(let ids, reload: true): try state.reloadItems(ids)
    case .mark(let ids, reload: false): try state.reconfigureItems(ids)
    case .markSection(let shelf, reload: true): try state.reloadSections([shelf])
    case .markSection(let shelf, reload: false): try state.reconfigureSections([shelf])
    case .addSection(let shelf, .some(let anchor)):
      try state.insertSections([shelf], beforeSection: anchor)
    case .addSection(let shelf, nil): state.appendSections([shelf])
    case .deleteSection(let shelf): state.deleteSections([shelf])
    case .moveSection(let shelf, let anchor): try state.moveSection(shelf, beforeSection: anchor)
    case .tree(let shelf, let levels):
      var (outline, path) = (Outline<Int>(), [Int]())
      for item in state.itemIdentifiers(inSection: shelf) {
        // Others may have added rows meanwhile.
        let level = levels[item] ?? 0
        path.removeLast(max(0, path.count - level))
        try outline.append([item], to: path.last)
        path.append(item)
      }
      try state.setOutline(outline, forSection: shelf)
    case .flatten(let shelf): try state.removeOutline(ofSection: shelf)
    case .fold(let id, isExpanded: true): state.expandItems([id])
    case .fold(let id, isExpanded: false): state.collapseItems([id])
    case .keepLast(let count, let shelf): try state.keepLastItems(count, inSection: shelf)
    case .deleteWhere(let ids): state.deleteItems { ids.contains($0) }
    case .upsert(let cards, let shelf):
      try state.appendItems(cards.map(\.id).filter { !state.containsItem($0) }, toSection: shelf)
    case .replace(let sprouts, let shelf):
      try state.replaceItems(inSection: shelf, with: sprouts.map(\.card.id))
    case .grow(let sprouts, let id):
      try state.replaceItems(childrenOf: id, using: Outline(sprouts))
    case .outline(let sprouts, let shelf, let keepsExpansion):
      try state.setOutline(
        Outline(sprouts), forSection: shelf, keepingExpansion: keepsExpansion)
    case .addSectionAfter(let shelf, let anchor):
      try state.insertSections([shelf], afterSection: anchor)
    case .moveSectionAfter(let shelf, let anchor):
      try state.moveSection(shelf, afterSection: anchor)
    }
  }
}

extension Outline<Int> {
  fileprivate init(_ sprouts: [Sprout]) throws {
    self.init()
    var path: [Int] = []
    for sprout in sprouts {
      path.removeLast(max(0, path.count - sprout.level))
      try append([sprout.card.id], to: path.last)
      path.append(sprout.card.id)
    }
    expand(sprouts.filter(\.isExpanded).map(\.card.id))
  }
}

extension PlainList {
  /// What a state of the product shows, without souls.
  init(_ state: CardState) { self.init(state, of: Card.self) }

  /// - Parameter kind: What its rows are.
  init<Model: PlainModel>(_ state: Snapshot<Shelf, Model.ID>, of kind: Model.Type) {
    func card(_ id: Model.ID) -> Card {
      var card = ModelBatch<Shelf, Model>.element(for: id, in: state)?.card ?? Card(id: 0, rank: -9)
      card.id = Model.number(id)
      return card
    }
    sections = state.sectionIdentifiers.map { shelf in
      var section = Section(shelf: shelf, header: state.sectionModel(of: shelf))
      if let outline = state.outline(ofSection: shelf) {
        section.isTree = true
        section.rows = outline.items.map { id in
          Row(
            soul: -1, card: card(id), level: outline.level(of: id) ?? -9,
            isExpanded: outline.isExpanded(id))
        }
      } else {
        section.rows = state.itemIdentifiers(inSection: shelf).map { Row(soul: -1, card: card($0)) }
      }
      return section
    }
  }
}
