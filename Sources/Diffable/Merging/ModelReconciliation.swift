/// Compares what a writer and others have made of the same models since a base, and decides what counts.
///
/// Changes and their undo have the same three versions. Of a change they are the base, what others have
/// made of it, and what the writer has made of it. Of an undo they are what the change has written, what
/// others have made of that since, and the version before the change.
///
/// It is made before a merge of the order, and used after it. Others may have changed much since the
/// base, so only models are looked up that the writer has changed or deleted.
final class ModelReconciliation<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
> {
  typealias Given = GivenContent<SectionID, ItemID>
  /// Two versions of a model.
  typealias Versions = (base: UnsafeRawPointer, theirs: UnsafeRawPointer)

  private let base: Snapshot<SectionID, ItemID>
  /// What others have made of the base: the state before the merge.
  let live: Snapshot<SectionID, ItemID>
  /// What others have renamed since the base, as far as the merge of the order follows it.
  var others: ItemRenames<ItemID>
  /// The versions that the writer has seen where they are not those of the base, by the writer's names.
  private let seen: Given
  /// What the writer has renamed since the base.
  private var writers = ItemRenames<ItemID>()
  let models: ElementKernel

  /// Takes down what others have changed.
  ///
  /// - Parameters:
  ///   - live: The state before the merge.
  ///   - base: The state that both sides started from.
  ///   - seen: The versions that the writer has seen of models which others had changed by then.
  ///   - others: What others have renamed since the base.
  /// - Returns: `nil` if others have changed nothing, or there are no models.
  /// - Complexity: O(1).
  init?(
    of live: Snapshot<SectionID, ItemID>, basedOn base: Snapshot<SectionID, ItemID>,
    seen: Given = Given(), renamedByOthers others: ItemRenames<ItemID>
  ) {
    guard let models = live.kernels.models,
      !live.order.isIdentical(to: base.order) || !seen.isEmpty
    else { return nil }
    (self.base, self.seen, self.others, self.models) = (base, seen, others, models)
    // The table must have a single holder while it is edited.
    self.live = live.detached
  }

  /// Merges the models of both sides as far as the sides allow it, and reports the rest.
  ///
  /// - Parameters:
  ///   - mine: The models of the writer, under the names of the result.
  ///   - writers: What the writer has renamed since the base.
  ///   - isWriters: Whether a model is what the writer has made of the base: it is the model of an item
  ///     that the writer's state has, by its name in the result. It gets the versions that both have started
  ///     from and that others have made of it, if there are both.
  ///   - result: The order after the merge, with its lookup table.
  ///   - rule: What counts where there is no such function.
  ///   - merging: The function of the source, if there is one.
  /// - Returns: The models that the writer gives.
  /// - Complexity: O((g + d) · log n) for g given models, and d leaves of n items that the writer has
  ///   changed. An item that others have moved is looked for in the leaves that they have changed.
  func settle(
    _ mine: Given, renamed writers: ItemRenames<ItemID>,
    where isWriters: (ItemID, UnsafeRawPointer, Versions?) -> Bool,
    in result: Snapshot<SectionID, ItemID>,
    by rule: MergeRule = .change, _ merging: ModelMerging?,
    _ found: inout Contradictions<SectionID, ItemID>
  ) -> Given {
    self.writers = writers
    var settled = mine
    let firstItem = found.conflicts.firstIndex { if case .item = $0 { true } else { false } }
    var items = Array(found.conflicts[(firstItem ?? found.conflicts.endIndex)...])
    found.conflicts.removeLast(items.count)
    settleSections(&settled, in: result, by: rule, &found)
    mine.items?.forEach { address, hash, model in
      let item = address.assumingMemoryBound(to: ItemID.self).pointee
      guard result.containsItem(item) else {
        guard isWriters(item, model, nil) else { return }
        withVersions(of: item, in: result) { base, _ in
          guard base != nil else { return }
          items.append(.item(item, .changedButDeleted))
          found.add(item, (base, nil, model), live.kernels)
        }
        return
      }
      withVersions(of: item, in: result) { base, theirs in
        guard let theirs, isWriters(item, model, base.map { ($0, theirs) }),
          !models.areEqual(theirs, model)
        else { return }
        func set(_ model: UnsafeRawPointer) {
          settled.set(address, hash: hash, model: model, models, result.kernels.items)
        }
        if let base {
          guard !models.areEqual(base, theirs) else { return }
          // The writer has only renamed it, or has set what it was.
          guard !models.areEqual(base, model) else { return set(theirs) }
          switch (merging, rule) {
          case (let merging?, .change): return merging.merge(base, theirs, model, set)
          // What the undo wants back goes in where nobody has touched what was written.
          case (let merging?, .undo): return merging.merge(base, model, theirs, set)
          case (nil, _): break
          }
        }
        if rule == .undo { set(theirs) }
        items.append(.item(item, .changedTwice))
        found.add(item, (base, theirs, model), live.kernels)
      }
    }
    for item in live.items(notIn: result) {
      let name = writers.newName(of: baseName(ofLive: item))
      guard !(name.map(result.containsItem) ?? false) else { continue }
      withVersions(of: item, in: result) { base, theirs in
        guard let base, let theirs, !models.areEqual(base, theirs) else { return }
        items.append(.item(item, .deletedButChanged))
        found.add(item, (base, theirs, nil), live.kernels)
      }
    }
    found.conflicts += items
    return settled
  }

  /// The same for sections, whose models no function merges.
  private func settleSections(
    _ settled: inout Given, in result: Snapshot<SectionID, ItemID>, by rule: MergeRule,
    _ found: inout Contradictions<SectionID, ItemID>
  ) {
    let mine = settled
    func add(
      _ section: SectionID, _ contradiction: Contradiction, _ theirs: SectionContent?,
      _ mine: SectionContent?
    ) {
      found.conflicts.append(.section(section, contradiction))
      found.base.sections[section] = seenContent(of: section)
      found.theirs.sections[section] = theirs
      found.mine.sections[section] = mine
    }
    if mine.hasSections {
      for (section, content) in mine.sections.elements {
        if !result.containsSection(section) {
          if base.containsSection(section) { add(section, .changedButDeleted, nil, content) }
        } else if let other = theirs(section), other != content {
          if rule == .undo { settled.sections[section] = other }
          add(section, .changedTwice, other, content)
        }
      }
    }
    for section in live.sections(notIn: result) where base.containsSection(section) {
      if let content = theirs(section) { add(section, .deletedButChanged, content, nil) }
    }
  }

  /// What others have made of a section; `nil` if they have changed nothing of it.
  private func theirs(_ section: SectionID) -> SectionContent? {
    let content = live.content(ofSection: section)
    guard live.containsSection(section), content != seenContent(of: section) else { return nil }
    return content ?? SectionContent()
  }

  /// The model of a section that the writer has started from.
  private func seenContent(of section: SectionID) -> SectionContent? {
    seen.sections[section] ?? base.content(ofSection: section)
  }

  // MARK: Names

  /// The name that an item of the result had at the base.
  func baseName(of item: ItemID) -> ItemID {
    writers.oldName(of: item) ?? baseName(ofLive: item)
  }

  private func baseName(ofLive item: ItemID) -> ItemID { others.oldName(of: item) ?? item }

  /// The name that others use for an item of the result.
  func liveName(of item: ItemID, in result: Snapshot<SectionID, ItemID>) -> ItemID {
    // Without renames, and for items that nobody has renamed.
    let name = baseName(of: item)
    guard name != item || others.newName(of: name) != nil else { return item }
    var isTheirs = false
    withTheirs(item, in: result) { isTheirs = $0 != nil }
    return isTheirs ? item : others.newName(of: name) ?? name
  }

  /// Calls a function with what others have made of a model, by the name that they use; with `nil` if
  /// they have changed nothing of it.
  private func withTheirs(
    _ name: ItemID, in result: Snapshot<SectionID, ItemID>, _ body: (UnsafeRawPointer?) -> Void
  ) {
    live.withModel(of: name, before: result) { now in
      guard let now = now?.first else { return body(nil) }
      base.withModel(of: name, before: result) { base in
        // A model at the same address is in a leaf that both share.
        let isSame = base.map { $0.first == now || models.areEqual($0.first, now) } ?? false
        body(isSame ? nil : now)
      }
    }
  }

  /// Calls a function with the base and the others' version of a model, under the name of the result.
  private func withVersions(
    of item: ItemID, in result: Snapshot<SectionID, ItemID>,
    _ body: (_ base: UnsafeRawPointer?, _ theirs: UnsafeRawPointer?) -> Void
  ) {
    let (first, now) = (baseName(of: item), liveName(of: item, in: result))
    let isSeen = seen.withModel(of: writers.newName(of: first) ?? first) { seen in
      guard let seen else { return false }
      live.withModel(of: now, before: result) { theirs in
        rename(seen, first, to: item) { seen in
          rename(theirs?.first, now, to: item) { theirs in body(seen, theirs) }
        }
      }
      return true
    }
    guard !isSeen else { return }
    base.withModel(of: first, before: result) { base in
      withTheirs(now, in: result) { theirs in
        rename(base?.first, first, to: item) { base in
          rename(theirs, now, to: item) { theirs in body(base, theirs) }
        }
      }
    }
  }

  /// Calls a function with a model under another name, or under its own if it cannot be renamed.
  private func rename(
    _ model: UnsafeRawPointer?, _ old: ItemID, to new: ItemID, _ body: (UnsafeRawPointer?) -> Void
  ) {
    guard let model, old != new else { return body(model) }
    if !models.withModel(model, renamedTo: new, body) { body(model) }
  }
}

extension ModelReconciliation {
  /// Lets models say the section where their items are, if an undo takes back only one of both.
  ///
  /// An undo takes back where a row was put, and what was written in its model, as far as either still shows.
  /// The model of a dropped row names its section. So if others have put the row elsewhere since, the model
  /// must not name the former section, and if they have changed the model, it must not name that of the
  /// change. The same holds for a model that cannot follow the name that others have given to its row.
  ///
  /// - Parameters:
  ///   - given: The models that the undo gives.
  ///   - found: What the undo contradicts: only such a row can have been taken back in part.
  ///   - before: The state before the change that is taken back.
  ///   - written: The state after it.
  ///   - names: By the names of that change: those of the result, where they differ.
  ///   - result: The order after the merge, with its lookup table.
  ///   - dropping: The function of the source.
  /// - Complexity: O(n) for n items if there are such rows, to find them in the states of the change.
  func settle(
    _ given: inout Given, _ found: Contradictions<SectionID, ItemID>,
    of before: Snapshot<SectionID, ItemID>, basedOn written: Snapshot<SectionID, ItemID>,
    named names: ItemRenames<ItemID>, in result: Snapshot<SectionID, ItemID>,
    _ dropping: ModelDropping<SectionID>
  ) {
    for case .item(let item, let contradiction) in found.conflicts
    where [.movedTwice, .changedTwice, .editedButRenamed].contains(contradiction) {
      let name = names.oldName(of: item) ?? item
      guard let section = result.sectionIdentifier(containingItem: item),
        let former = before.sectionIdentifier(containingItem: name),
        former != written.sectionIdentifier(containingItem: baseName(of: item))
      else { continue }
      let live = liveName(of: item, in: result)
      let isMoved = self.live.sectionIdentifier(containingItem: live) != section
      let settled = given
      self.live.withModel(of: live, before: result) { now in
        settled.withModel(of: item) { model in
          guard let now = now?.first, isMoved == models.areEqual(model ?? now, now) else { return }
          dropping.drop(model ?? now, section) { given.set(item, model: $0, result.kernels) }
        }
      }
    }
  }
}

extension Snapshot {
  /// The items, hidden ones included, that a state made from this one does not have.
  ///
  /// - Complexity: O(d · log n) for d leaves of n items that the other state does not have.
  fileprivate func items(notIn other: Snapshot) -> [ItemID] {
    guard !order.isIdentical(to: other.order) else { return [] }
    return leaves(notIn: other).flatMap { leaf in
      withExtendedLifetime(leaf) {
        // An identifier is the first property of the row of an outline.
        (0..<leaf.count).map { leaf.span.address($0).assumingMemoryBound(to: ItemID.self).pointee }
      }
    }.filter { !other.containsItem($0) }
  }

  /// The sections that a state made from this one does not have.
  ///
  /// - Complexity: As of the items, for leaves of sections.
  fileprivate func sections(notIn other: Snapshot) -> [SectionID] {
    guard !order.isIdentical(to: other.order) else { return [] }
    return LeafDelta(from: order.base, to: other.order.base).removed.flatMap { leaf in
      TypedLeaf<SectionRecord<SectionID, ItemID>>(base: leaf).map { $0.id }
    }.filter { !other.containsSection($0) }
  }
}

extension Contradictions {
  fileprivate mutating func add(
    _ item: ItemID,
    _ versions: (base: UnsafeRawPointer?, theirs: UnsafeRawPointer?, mine: UnsafeRawPointer?),
    _ kernels: SnapshotKernels
  ) {
    func set(_ model: UnsafeRawPointer?, in given: inout Given) {
      if let model { given.set(item, model: model, kernels) }
    }
    set(versions.base, in: &base)
    set(versions.theirs, in: &theirs)
    set(versions.mine, in: &mine)
  }
}
