/// Compares what a writer and others have made of the same models since a base.
///
/// It is made before a merge of the order, and used after it: what the others have changed is found by
/// comparing states, and what became of it is seen in the result.
package final class ModelReconciliation<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable
> {
  package typealias Given = GivenContent<SectionID, ItemID>
  private typealias Address = UnsafeRawPointer

  private let base: Snapshot<SectionID, ItemID>
  /// What others have changed or inserted, under the names that they use.
  private let theirs: Given
  /// What others have renamed since the base.
  private let others: ItemRenames<ItemID>
  /// What the writer has renamed since the base.
  private var writers = ItemRenames<ItemID>()
  private let models: ElementKernel

  /// Finds out what others have changed.
  ///
  /// - Parameters:
  ///   - live: The state before the merge.
  ///   - base: The state that both sides started from.
  ///   - others: What others have renamed since then.
  /// - Returns: `nil` if others have changed nothing, or there are no models.
  /// - Complexity: O(d · log n) for d leaves of n items that others have changed.
  package init?(
    of live: Snapshot<SectionID, ItemID>, basedOn base: Snapshot<SectionID, ItemID>,
    renamedByOthers others: ItemRenames<ItemID>
  ) {
    guard let models = live.kernels.models, !live.order.isIdentical(to: base.order) else {
      return nil
    }
    (self.base, self.others, self.models) = (base, others, models)
    theirs = live.givenContent(since: base)
  }

  /// Merges the models of both sides as far as the sides allow it, and reports the rest.
  ///
  /// - Parameters:
  ///   - mine: The models of the writer, under the names of the result.
  ///   - writers: What the writer has renamed since the base.
  ///   - isWriters: Whether a model is what the writer has made of the base: it is the model of an item
  ///     that the writer's state has, by its name in the result.
  ///   - result: The order after the merge, with its lookup table.
  ///   - merging: The function of the source, if there is one.
  /// - Returns: The models that the writer gives.
  /// - Complexity: O((g + c) · log n) for g given models, and c models of n that others have changed.
  ///   A scan of n hashes for each contradiction.
  package func settle(
    _ mine: Given, renamed writers: ItemRenames<ItemID>,
    where isWriters: (ItemID, UnsafeRawPointer) -> Bool, in result: Snapshot<SectionID, ItemID>,
    _ merging: ModelMerging?, _ found: inout Contradictions<SectionID, ItemID>
  ) -> Given {
    self.writers = writers
    var settled = mine
    let firstItem = found.conflicts.firstIndex { if case .item = $0 { true } else { false } }
    var items = Array(found.conflicts[(firstItem ?? found.conflicts.endIndex)...])
    found.conflicts.removeLast(items.count)
    findContradictions(ofSections: mine, in: result, &found)
    mine.items?.forEach { address, hash, model in
      let item = address.assumingMemoryBound(to: ItemID.self).pointee
      guard result.containsItem(item) else {
        guard isWriters(item, model) else { return }
        withVersions(of: item) { base, _ in
          guard base != nil else { return }
          items.append(.item(item, .changedButDeleted))
          found.add(item, (base, nil, model), models, result.kernels)
        }
        return
      }
      guard theirs.hasModel(of: liveName(of: item)), isWriters(item, model) else { return }
      withVersions(of: item) { base, theirs in
        guard let theirs, !models.areEqual(theirs, model) else { return }
        if let base {
          guard !models.areEqual(base, theirs) else { return }
          if let merging {
            return merging(base, theirs, model) { merged in
              settled.set(address, hash: hash, model: merged, models, result.kernels.items)
            }
          }
        }
        items.append(.item(item, .changedTwice))
        found.add(item, (base, theirs, model), models, result.kernels)
      }
    }
    theirs.items?.forEach { address, _, _ in
      let item = address.assumingMemoryBound(to: ItemID.self).pointee
      let name = writers.newName(of: baseName(ofLive: item))
      guard !result.containsItem(item), !(name.map(result.containsItem) ?? false) else { return }
      withVersions(of: item) { base, theirs in
        guard let base, let theirs, !models.areEqual(base, theirs) else { return }
        items.append(.item(item, .deletedButChanged))
        found.add(item, (base, theirs, nil), models, result.kernels)
      }
    }
    found.conflicts += items
    return settled
  }

  private func findContradictions(
    ofSections mine: Given, in result: Snapshot<SectionID, ItemID>,
    _ found: inout Contradictions<SectionID, ItemID>
  ) {
    func add(
      _ section: SectionID, _ contradiction: Contradiction, _ theirs: SectionContent?,
      _ mine: SectionContent?
    ) {
      found.conflicts.append(.section(section, contradiction))
      found.base.sections[section] = base.content(ofSection: section)
      found.theirs.sections[section] = theirs
      found.mine.sections[section] = mine
    }
    for (section, content) in mine.sections.elements {
      let other = theirs.sections[section]
      if !result.containsSection(section) {
        if base.containsSection(section) { add(section, .changedButDeleted, nil, content) }
      } else if let other, other != content {
        add(section, .changedTwice, other, content)
      }
    }
    for (section, content) in theirs.sections.elements
    where !result.containsSection(section) && base.containsSection(section) {
      add(section, .deletedButChanged, content, nil)
    }
  }

  // MARK: Names

  /// The name that an item of the result had at the base.
  private func baseName(of item: ItemID) -> ItemID {
    writers.oldName(of: item) ?? baseName(ofLive: item)
  }

  private func baseName(ofLive item: ItemID) -> ItemID { others.oldName(of: item) ?? item }

  /// The name that others use for an item of the result.
  private func liveName(of item: ItemID) -> ItemID {
    if theirs.hasModel(of: item) { return item }
    let name = baseName(of: item)
    return others.newName(of: name) ?? name
  }

  /// Calls a function with the base and the others' version of a model, under the name of the result.
  private func withVersions(
    of item: ItemID, _ body: (_ base: UnsafeRawPointer?, _ theirs: UnsafeRawPointer?) -> Void
  ) {
    let (first, now) = (baseName(of: item), liveName(of: item))
    base.withModel(of: first) { base in
      theirs.withModel(of: now) { theirs in
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

extension Contradictions {
  fileprivate mutating func add(
    _ item: ItemID,
    _ versions: (base: UnsafeRawPointer?, theirs: UnsafeRawPointer?, mine: UnsafeRawPointer?),
    _ models: ElementKernel, _ kernels: SnapshotKernels
  ) {
    func set(_ model: UnsafeRawPointer?, in given: inout Given) {
      guard let model else { return }
      withUnsafePointer(to: item) {
        given.set($0, hash: item.storedHash, model: model, models, kernels.items)
      }
    }
    set(versions.base, in: &base)
    set(versions.theirs, in: &theirs)
    set(versions.mine, in: &mine)
  }
}
