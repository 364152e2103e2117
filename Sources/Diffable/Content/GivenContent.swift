package typealias GivenContent = _GivenContent

/// What a writer gives with an order: models of items and of sections.
///
/// Public, since `_edit` is a requirement of a public protocol; only this package uses it.
public struct _GivenContent<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// `nil` until there is one.
  package private(set) var items: ModelPool?
  /// Whether the order has the models of all other items, and those of sections that stay.
  ///
  /// Then none is looked for.
  package var isComplete = false
  /// `nil` until there is one; most writers give none.
  private var sectionContents: IdentifierMap<SectionID, SectionContent>?

  package init(_ items: ModelPool? = nil) { self.items = items }

  package var isEmpty: Bool { items == nil && !hasSections }

  /// Whether there are models of sections.
  package var hasSections: Bool { sectionContents != nil }

  /// The models of sections.
  package var sections: IdentifierMap<SectionID, SectionContent> {
    get { sectionContents ?? IdentifierMap() }
    _modify {
      var sections = sectionContents ?? IdentifierMap()
      // The map must have a single holder, so that it is added to in place.
      sectionContents = nil
      defer { sectionContents = sections.isEmpty ? nil : sections }
      yield &sections
    }
  }

  /// Sets the given model of an item; it replaces an earlier one.
  package mutating func set<Model: Identifiable & Sendable>(
    _ model: Model, _ kernels: SnapshotKernels
  ) where Model.ID == ItemID {
    withUnsafePointer(to: model) { set(model.id, model: $0, kernels) }
  }

  /// Sets the given model of an item; it replaces an earlier one.
  package mutating func set(
    _ item: UnsafeRawPointer, hash: UInt32, model: UnsafeRawPointer, _ models: ElementKernel,
    _ identifiers: ElementKernel
  ) {
    change(models, identifiers) { $0.set(item, hash: hash, model: model) }
  }

  /// Gives an item a copy of a model of the kernels' type, at an address.
  mutating func set(_ item: ItemID, model: UnsafeRawPointer, _ kernels: SnapshotKernels) {
    guard let models = kernels.models else { return }
    withUnsafePointer(to: item) {
      set($0, hash: item.storedHash, model: model, models, kernels.items)
    }
  }

  /// Sets the given models of items; of two models of an item, the last counts.
  mutating func set<Model: Identifiable & Sendable>(
    contentsOf models: [Model], _ kernels: SnapshotKernels
  ) where Model.ID == ItemID {
    guard let kernel = kernels.models, !models.isEmpty else { return }
    change(kernel, kernels.items) { $0.set(contentsOf: models) }
  }

  private mutating func change(
    _ models: ElementKernel, _ identifiers: ElementKernel, _ body: (inout ModelPool) -> Void
  ) {
    var pool = items ?? ModelPool(identifiers, models)
    // The pool must have a single holder, so that it is added to in place.
    items = nil
    body(&pool)
    items = pool
  }

  /// Sets the given models of items; the policy decides between several for the same item.
  mutating func set<Model: Identifiable & Sendable>(
    _ models: some Sequence<Model>, _ duplicates: DuplicatePolicy, _ kernels: SnapshotKernels
  ) where Model.ID == ItemID {
    let models = Array(models)
    set(contentsOf: duplicates == .keepFirst ? models.reversed() : models, kernels)
  }

  /// The number of items that have a given model.
  var itemCount: Int { items?.count ?? 0 }

  /// Sets all models of other content; they replace earlier ones.
  mutating func replace(with other: GivenContent<SectionID, ItemID>) {
    guard let new = other.items else { return }
    guard items != nil else { return items = new }
    new.forEach { item, hash, model in
      change(new.modelKernel, new.identifierKernel) { $0.set(item, hash: hash, model: model) }
    }
  }

  /// The same models, without those that others have replaced.
  ///
  /// - Complexity: O(m) for m models.
  var compacted: GivenContent<SectionID, ItemID> {
    var result = self
    result.items = items.map { ModelPool($0.identifierKernel, $0.modelKernel) }
    result.replace(with: self)
    return result
  }

  /// Sets the models of other content for items that have none here.
  mutating func addMissing(
    _ other: GivenContent<SectionID, ItemID>
  ) {
    guard let others = other.items else { return }
    let own = self
    items = others
    replace(with: own)
  }

  /// These models, and those of other content for items and sections that have none here.
  package func adding(_ other: GivenContent<SectionID, ItemID>) -> GivenContent<SectionID, ItemID> {
    var all = self
    all.addMissing(other)
    for (section, content) in other.sections.elements where all.sections[section] == nil {
      all.sections[section] = content
    }
    return all
  }

  /// Whether an item has a given model.
  package func hasModel(of item: ItemID) -> Bool {
    withModel(of: item) { $0 != nil }
  }

  /// The given model of an item; `nil` if the models are of another type.
  package func model<Model>(of item: ItemID, as type: Model.Type) -> Model? {
    guard items?.modelKernel.type == type else { return nil }
    return withModel(of: item) { $0?.assumingMemoryBound(to: type).pointee }
  }

  /// Calls a function with the given model of an item, if there is one.
  func withModel<Result>(of item: ItemID, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    guard let items else { return body(nil) }
    let hash = item.storedHash
    return withExtendedLifetime(items) {
      withUnsafePointer(to: item) { body(items.model(of: $0, hash: hash)) }
    }
  }

  /// Whether another writer gives the same models.
  func hasSameModels(as other: GivenContent<SectionID, ItemID>) -> Bool {
    guard items?.count ?? 0 == other.items?.count ?? 0,
      sections.elements.elementsEqual(other.sections.elements, by: { $0 == $1 })
    else { return false }
    var isSame = true
    items?.forEach { item, _, model in
      other.withModel(of: item.assumingMemoryBound(to: ItemID.self).pointee) { otherModel in
        isSame = isSame && otherModel.map { items?.areEqual($0, model) ?? false } ?? false
      }
    }
    return isSame
  }

  /// The same models for items that have other names.
  ///
  /// - Parameter isThere: Whether the list has an item of this new name. If it does not, the model is only part of a
  ///   conflict: one that cannot be renamed keeps its identifier, and is not left out.
  /// - Returns: The models, and the new names of the items whose models cannot be renamed; these are
  ///   left out.
  /// - Complexity: O(g + r) for g given models and r names.
  func renaming(
    _ names: ItemRenames<ItemID>, _ kernels: SnapshotKernels,
    where isThere: (ItemID) -> Bool = { _ in true }
  ) -> (given: GivenContent<SectionID, ItemID>, lost: [ItemID]) {
    guard let items, let models = kernels.models,
      names.inOrder.contains(where: { hasModel(of: $0.old) })
    else { return (self, []) }
    var renamed = GivenContent<SectionID, ItemID>()
    renamed.sectionContents = sectionContents
    var lost: [ItemID] = []
    items.forEach { item, hash, model in
      let id = item.assumingMemoryBound(to: ItemID.self).pointee
      guard let name = names.newName(of: id) else {
        return renamed.set(item, hash: hash, model: model, models, kernels.items)
      }
      // A model that was given for that name already is newer.
      guard !hasModel(of: name) || names.newName(of: name) != nil else { return }
      let isRenamed = models.withModel(model, renamedTo: name) { model in
        renamed.set(name, model: model, kernels)
      }
      guard !isRenamed else { return }
      if isThere(name) {
        lost.append(name)
      } else {
        renamed.set(name, model: model, kernels)
      }
    }
    return (renamed, lost)
  }

  /// The same models, where renamed items whose models differ in nothing but the identifier have what
  /// others have made of these models.
  ///
  /// - Parameters:
  ///   - renames: What the writer has renamed since a base.
  ///   - others: What others have renamed since then.
  ///   - live: The live state, with its table.
  /// - Complexity: O(r · log n) for r renames among n items, plus the table of the base.
  func keepingContent(
    of renames: ItemRenames<ItemID>, _ others: ItemRenames<ItemID>,
    basedOn base: Snapshot<SectionID, ItemID>, in live: Snapshot<SectionID, ItemID>
  ) -> GivenContent<SectionID, ItemID> {
    // Nobody has made anything of the models if the live state is the base.
    guard !renames.isEmpty, !live.order.isIdentical(to: base.order),
      let models = live.kernels.models, let items
    else { return self }
    var result = self
    for rename in renames.inOrder {
      let (new, hash) = (rename.new, rename.new.storedHash)
      let given = withUnsafePointer(to: new) { items.model(of: $0, hash: hash) }
      let name = others.newName(of: rename.old) ?? rename.old
      guard let given else { continue }
      base.withModel(of: rename.old) { old in
        live.withModel(of: name) { now in
          guard let old, let now else { return }
          var isSame = false
          _ = models.withModel(old.first, renamedTo: new) { isSame = models.areEqual($0, given) }
          guard isSame else { return }
          _ = models.withModel(now.first, renamedTo: new) { model in
            result.set(new, model: model, live.kernels)
          }
        }
      }
    }
    return withExtendedLifetime(items) { result }
  }

  /// The same models, without those of some items.
  ///
  /// - Complexity: O(g) calls for g given models.
  func leavingOut(_ isLeftOut: (ItemID) -> Bool) -> GivenContent<SectionID, ItemID> {
    guard let items else { return self }
    var isWhole = true
    items.forEach { item, _, _ in
      isWhole = isWhole && !isLeftOut(item.assumingMemoryBound(to: ItemID.self).pointee)
    }
    // Mostly nothing is left out, and nothing is copied.
    if isWhole { return self }
    var rest = GivenContent<SectionID, ItemID>()
    rest.sectionContents = sectionContents
    items.forEach { item, hash, model in
      guard !isLeftOut(item.assumingMemoryBound(to: ItemID.self).pointee) else { return }
      rest.set(item, hash: hash, model: model, items.modelKernel, items.identifierKernel)
    }
    return rest
  }

  /// The given models that a state does not have, or that differ from its models.
  ///
  /// - Parameter isNew: Called with each item that the state does not have.
  /// - Complexity: O(g · log n) for g given models of n items.
  package func changes(
    since base: Snapshot<SectionID, ItemID>, _ isNew: (ItemID) -> Void = { _ in }
  ) -> GivenContent<SectionID, ItemID> {
    guard let items, let models = base.kernels.models else { return self }
    var changes = GivenContent<SectionID, ItemID>()
    changes.sectionContents = sectionContents
    items.forEach { item, hash, model in
      let id = item.assumingMemoryBound(to: ItemID.self).pointee
      let isSame = base.withModel(of: id) { former in
        if former == nil { isNew(id) }
        return former.map { models.areEqual($0.first, model) } ?? false
      }
      if !isSame { changes.set(item, hash: hash, model: model, models, base.kernels.items) }
    }
    return changes
  }
}

/// Transferring models from one state to another.
extension Snapshot {
  /// Adds the models that were passed with the items of sections to what a writer gives.
  ///
  /// - Parameters:
  ///   - duplicates: Decides between several models of an item.
  ///   - isDone: By section index: whether it is left out; empty if none is.
  func giveModels(
    to given: inout Given, _ duplicates: DuplicatePolicy, except isDone: [Bool] = []
  ) {
    guard isDone.isEmpty || isDone.contains(false) else { return }
    let records = records
    for index in duplicates == .keepFirst ? records.indices.reversed() : Array(records.indices)
    where isDone.isEmpty || !isDone[index] {
      guard case .array(let array) = records[index].items, let models = array.models
      else { continue }
      let items = array.items
      models.withSpan { span in
        for place in duplicates == .keepFirst ? items.indices.reversed() : Array(items.indices) {
          given.set(items[place], model: span.address(place), kernels)
        }
      }
    }
  }

  /// The models of this state that differ from those of a base, or that the base does not have.
  ///
  /// A writer that makes this state from the base gives exactly these.
  ///
  /// - Complexity: O(c · log n) for c elements that differ; O(n) if whole sections are inserted or
  ///   deleted.
  package func givenContent(since base: Snapshot) -> Given {
    var given = Given()
    guard let models = kernels.models else { return given }
    let comparison = SnapshotComparison(old: base.base, new: self.base)
    let changes = ContentChanges(from: base.base, to: self.base, comparison)
    let mayHaveMoved =
      base.order.totals.outlines > 0 || !comparison.correspondence.sectionDeletes.isEmpty
    func give(_ item: ItemID, _ model: UnsafeRawPointer?) {
      guard let model else { return }
      let isKnown =
        mayHaveMoved
        && base.withModel(of: item) { $0.map { models.areEqual($0.first, model) } ?? false }
      guard !isKnown else { return }
      given.set(item, model: model, kernels)
    }
    func give(at path: ItemPath) {
      if let item = itemIdentifier(for: path) { withModel(at: path) { give(item, $0?.first) } }
    }
    changes.items.forEach(give(at:))
    for section in comparison.touched {
      let record = order[section.new]
      let old = section.old.map { base.order[$0] }
      if record.model != old?.model {
        given.sections[record.id] = record.model ?? SectionContent()
      }
      guard let outline = record.outline?.value else {
        if section.old == nil {
          for item in 0..<record.items.count {
            give(at: ItemPath(section: section.new, item: item))
          }
        }
        continue
      }
      let before = old?.outline?.value ?? Outline(outline.kernel)
      outline.forEachRow(since: before, models) { position, _ in
        outline.rows.base.withModel(at: position) { give(outline.rows[position].id, $0?.first) }
      }
    }
    for section in comparison.correspondence.changed {
      for item in section.inserts.joined() { give(at: ItemPath(section: section.new, item: item)) }
    }
    return given
  }

  /// The error for given models whose items or sections do not exist.
  ///
  /// Needs the table.
  package func unknown(of given: Given) -> SnapshotError? {
    var unknown: [AnyItemID] = []
    given.items?.forEach { item, hash, _ in
      var isThere = false
      forEachPlace(ofItem: item, hash: hash) { _, _ in isThere = true }
      if !isThere { unknown.append(AnyItemID(item.assumingMemoryBound(to: ItemID.self).pointee)) }
    }
    guard unknown.isEmpty else { return .unknownItem(unknown) }
    guard given.hasSections else { return nil }
    let sections = given.sections.elements.map { $0.key }.filter { !containsSection($0) }
    return sections.isEmpty ? nil : .unknownSection(sections.map { AnyItemID($0) })
  }
}
