/// The models of one revision: one for each item, and one for each section that has one.
///
/// Invariants:
/// 1. `models` has exactly the items of the order that this is the content of, those that an outline
///    hides included.
/// 2. `sections` has exactly its sections.
struct ModelContent<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: SourceContent where Model.ID: Sendable {
  typealias ItemID = Model.ID
  typealias Order = Snapshot<SectionID, Model.ID>

  var models = ContentMap<Model.ID, Model>()
  var sections = ContentMap<SectionID, SectionContent>()

  init() {}

  /// Creates an empty content whose map of models is compiled where their type is known.
  init(_ kernel: ContentKernel<Model.ID, Model>) {
    models = ContentMap(kernel)
  }

  /// Gives an item a model.
  ///
  /// One that equals the model that is there is not taken, so that what is shared stays shared.
  mutating func set(_ model: Model) {
    models.set([model], keepingFirst: false)
  }

  /// Gives items models; of those for the same item that one which the policy keeps.
  mutating func set(_ models: some Sequence<Model>, _ duplicates: DuplicatePolicy) {
    self.models.set(Array(models), keepingFirst: duplicates == .keepFirst)
  }

  /// Gives a section a model, or takes it away.
  mutating func set(_ content: SectionContent, forSection section: SectionID) {
    guard sections[section] != content else { return }
    sections.set(content, for: section)
  }

  mutating func follow(
    _ correspondence: Correspondence, from old: Order, to new: Order
  ) -> [Model.ID] {
    for index in correspondence.sectionDeletes {
      if let section = old.sectionIdentifier(at: index) { sections.remove(section) }
      for item in old.allItems(inSectionAt: index) { drop(item, unlessIn: new) }
    }
    for section in correspondence.changed where !section.deletes.isEmpty {
      let items = old.items(inSectionAt: section.old)
      for index in section.deletes.joined() { drop(items[index], unlessIn: new) }
    }
    for outline in correspondence.outlines {
      for item in old.items(inRows: outline.departures, ofSectionAt: outline.old) {
        drop(item, unlessIn: new)
      }
    }
    var missing: [Model.ID] = []
    for index in correspondence.sectionInserts {
      if let section = new.sectionIdentifier(at: index), sections[section] == nil {
        sections.set(SectionContent(), for: section)
      }
      missing += new.allItems(inSectionAt: index).filter { models[$0] == nil }
    }
    for section in correspondence.changed where !section.inserts.isEmpty {
      // What comes to an outline is among its rows, and looked for there.
      guard new.outline(ofSectionAt: section.new) == nil else { continue }
      let items = new.items(inSectionAt: section.new)
      missing += section.inserts.joined().lazy.map { items[$0] }.filter { models[$0] == nil }
    }
    for outline in correspondence.outlines {
      missing += new.items(inRows: outline.arrivals, ofSectionAt: outline.new)
        .filter { models[$0] == nil }
    }
    guard missing.isEmpty else { return missing }
    dropStrays(of: new)
    return []
  }

  mutating func drop(_ item: Model.ID, unlessIn new: Order) {
    if !new.containsItem(item) { models.remove(item) }
  }

  /// Lets go of models that were given for what is not there.
  ///
  /// - Complexity: O(1) if there are none, else O(n) for n models.
  mutating func dropStrays(of order: Order) {
    let itemCount = order.numberOfItems + order.order.totals.hiddenRows
    if models.count > itemCount {
      for item in models.keys where !order.containsItem(item) { models.remove(item) }
    }
    // An identifier that is not found again cannot be removed.
    if models.count > 2 * itemCount + 64 {
      let old = models
      models = ContentMap(old.kernel)
      order.everyItem.forEach(as: Model.ID.self) { item, _ in
        if let model = old[item()] { models.set(model, for: item()) }
      }
    }
    if sections.count > order.numberOfSections {
      for section in sections.keys where !order.containsSection(section) {
        sections.remove(section)
      }
    }
  }

  /// Where the writer and others changed the same model, that of the writer counts.
  mutating func merge(_ theirs: ModelContent, basedOn base: ModelContent) {
    theirs.models.forEachChange(since: base.models) { _, _, new in set(new) }
    theirs.sections.forEachUnshared(since: base.sections) { section, old, new in
      if old != new { set(new, forSection: section) }
    }
  }

  func changes(since old: ModelContent) -> Order.Marks {
    var marks = Order.Marks()
    models.forEachChange(since: old.models) { item, old, _ in
      if old != nil { marks.reconfigure(items: CollectionOfOne(item)) }
    }
    sections.forEachUnshared(since: old.sections) { section, old, new in
      if let old, old != new { marks.reconfigure(sections: CollectionOfOne(section)) }
    }
    return marks
  }
}

/// The model of a section, whatever its type, or that it has none.
struct SectionContent: Equatable, Sendable {
  let model: (any Equatable & Sendable)?

  init(_ model: (any Equatable & Sendable)? = nil) {
    self.model = model
  }

  static func == (left: SectionContent, right: SectionContent) -> Bool {
    guard let model = left.model else { return right.model == nil }
    func equal<Model: Equatable>(_ model: Model) -> Bool { right.model as? Model == model }
    return equal(model)
  }
}

extension Snapshot {
  /// The items of the section at an index, those that its outline hides included.
  func allItems(inSectionAt index: Int) -> [ItemID] {
    outline(ofSectionAt: index)?.items ?? Array(items(inSectionAt: index))
  }

  /// The items in some rows of the outline of the section at an index; none in a list.
  func items(inRows rows: [Range<Int>], ofSectionAt index: Int) -> [ItemID] {
    guard let outline = outline(ofSectionAt: index) else { return [] }
    var items: [ItemID] = []
    for range in rows { outline.forEachRow(in: range) { items.append($0.id) } }
    return items
  }
}
