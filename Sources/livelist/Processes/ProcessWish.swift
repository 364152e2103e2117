import Diffable

/// What the user wants of the list.
enum ProcessWish: Equatable, Sendable {
  case sort(ProcessOrder)
  case expand(ProcessID)
  case collapse(ProcessID)
  /// Puts a row one place further up among its siblings, where it stays, or further down.
  case move(ProcessID, isUp: Bool)
  case undo
  case redo
}

extension ProcessTable {
  /// Does what the user wants.
  ///
  /// What the user does has a name in the history of the source, and what the writers do has none: so
  /// undo takes back the former alone, whatever has come since.
  ///
  /// - Returns: What to tell the user; `nil` if nothing has changed.
  func perform(_ wish: ProcessWish) async throws -> String? {
    var new = contents.arrangement
    switch wish {
    case .sort(let order):
      guard order != new.order else { return nil }
      new.order = order
      return try await change(to: new, named: "sort by \(order.title)")
    case .expand(let item):
      return try await change(to: new, named: "unfold \(name(of: item))", .immediate) {
        $0.expandItems([item])
      }
    case .collapse(let item):
      return try await change(to: new, named: "fold \(name(of: item))", .immediate) {
        $0.collapseItems([item])
      }
    case .move(let item, let isUp):
      let siblings = await source.snapshot.siblings(of: item)
      guard let place = siblings.firstIndex(of: item) else { return nil }
      guard isUp ? place > 0 : place + 1 < siblings.count else { return nil }
      // The arrangement may be another one after the question.
      new = contents.arrangement
      let previous = isUp ? place - 2 : place + 1
      new.pin(item, behind: previous < 0 ? nil : siblings[previous])
      return try await change(
        to: new, named: "move \(name(of: item)) \(isUp ? "up" : "down")")
    case .undo:
      return try await reverse(isUndo: true)
    case .redo:
      return try await reverse(isUndo: false)
    }
  }

  /// Makes a change that the user can undo.
  ///
  /// - Parameter presentation: Immediate where rows are hidden: an animated change would say that they are
  ///   gone.
  private func change(
    to new: ProcessArrangement, named name: String, _ presentation: Presentation = .animated,
    _ edit: @escaping @Sendable (inout ProcessSnapshot) -> Void = { _ in }
  ) async throws -> String {
    let former = setArrangement(new)
    let records = contents.records
    let revision: Revision = try await source.update(
      named: name, presentation: presentation
    ) { snapshot in
      edit(&snapshot)
      try new.rearrange(&snapshot, by: records, changed: [])
      // So that it can be undone even if no row has to move for it at the moment.
      try snapshot.reconfigureSections(snapshot.sectionIdentifiers)
    }
    remember(former, before: revision)
    return name
  }

  private func reverse(isUndo: Bool) async throws -> String? {
    guard let next = isUndo ? source.nextUndo(.named) : source.nextRedo(.named) else { return nil }
    let former = setArrangement(arrangement(before: next.revision))
    let transaction = try await isUndo ? source.undo(.named) : source.redo(.named)
    guard let transaction else { return nil }
    if !transaction.difference.isEmpty { remember(former, before: transaction.revision) }
    // The figures have changed since, and the order with them.
    try await rearrange(changed: [])
    return (isUndo ? "undid: " : "did again: ") + (transaction.name ?? "")
  }

  private func name(of item: ProcessID) -> String {
    contents.records[item]?.listed.shortName ?? "\(item.number)"
  }
}

extension ProcessOrder {
  /// What people call it.
  var title: String {
    switch self {
    case .cpu: "CPU"
    case .memory: "memory"
    case .pid: "PID"
    }
  }
}

extension ListedProcess {
  /// The name of the program without its path and arguments.
  var shortName: String {
    let program = command.prefix { $0 != " " }
    return String(
      program[(program.lastIndex(of: "/").map(program.index(after:)) ?? program.startIndex)...])
  }
}

extension ProcessSnapshot {
  /// The visible items that stand side by side with another, and that one.
  func siblings(of item: ProcessID) -> [ProcessID] {
    guard let section = sectionIdentifier(containingItem: item) else { return [] }
    guard let outline = outline(ofSection: section) else {
      return itemIdentifiers(inSection: section)
    }
    return outline.parent(of: item).map { outline.children(of: $0) } ?? outline.rootItems
  }
}
