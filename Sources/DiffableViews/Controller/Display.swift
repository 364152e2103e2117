import Diffable

/// The state on display and, in the middle of a batch, the states before and after it.
///
/// The states between two stages of a batch are identifiers in flat lists, without models and
/// outlines. What such a state lacks is looked up here in the states before and after the batch.
struct Display<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// The states before and after the batch that is being shown.
  struct Passage: Sendable {
    let from: Snapshot<SectionID, ItemID>
    let to: Snapshot<SectionID, ItemID>
    /// The new identifiers of renamed items, by the old ones.
    ///
    /// Some are not in the state after the batch, whose query hides their rows.
    let newNames: [ItemID: ItemID]
    /// The same by the new ones.
    let oldNames: [ItemID: ItemID]

    /// The passage to a state, by a batch that renames items.
    init(
      from start: Snapshot<SectionID, ItemID>, to end: Snapshot<SectionID, ItemID>,
      renaming renamed: [ItemRename<ItemID>]
    ) {
      (from, to) = (start, end)
      // An identifier in both states names the same item, whatever was said.
      let renamed = renamed.filter { !end.containsItem($0.old) && !start.containsItem($0.new) }
      newNames = Dictionary(
        renamed.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
      oldNames = Dictionary(
        renamed.map { ($0.new, $0.old) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// What is no longer needed after a batch.
  struct Remains: Sendable {
    let states: [Snapshot<SectionID, ItemID>]
    let passage: Passage?
  }

  private(set) var snapshot = Snapshot<SectionID, ItemID>()
  /// The revision of the last batch that was shown completely.
  private(set) var revision: Revision?
  /// The token of its state, which identifies the source of the revision.
  private(set) var token: ResumeToken?
  private var passage: Passage?
  /// The items that show a change which others have not accepted yet, after the batch.
  private var unconfirmedItems: Set<ItemID> = []
  /// The states that were on display since the batch began, and are not any more.
  private var former: [Snapshot<SectionID, ItemID>] = []

  /// Prepares for a batch.
  ///
  /// The passage was made off the main actor: that looks up each renamed item.
  mutating func setOut(on passage: Passage) { self.passage = passage }

  /// Records which items are unconfirmed after the batch, and returns the former ones, for the
  /// caller to release.
  mutating func replaceUnconfirmedItems(with items: Set<ItemID>) -> Set<ItemID> {
    let former = unconfirmedItems
    unconfirmedItems = items
    return former
  }

  /// Puts a state on display.
  ///
  /// The previous one is kept until ``rest()``.
  mutating func install(_ new: Snapshot<SectionID, ItemID>) {
    former.append(snapshot)
    snapshot = new
  }

  /// Records that the state after a batch is on display.
  mutating func arrive(at batch: UpdateBatch<SectionID, ItemID>) {
    (token, revision) = (batch.token, batch.target)
  }

  /// Ends the batch and returns what is no longer needed, for the caller to release.
  mutating func rest() -> Remains {
    defer { (passage, former) = (nil, []) }
    return Remains(states: former + [passage?.from].compactMap(\.self), passage: passage)
  }
}

// MARK: Questions in the middle of a batch

extension Display {
  /// The identifier that an item has after the batch.
  func newName(of item: ItemID) -> ItemID { newNames[item] ?? item }

  /// The identifier that an item has before the batch.
  func oldName(of item: ItemID) -> ItemID { passage?.oldNames[item] ?? item }

  /// Whether an item, by either identifier, shows a change that others have not accepted yet.
  func isUnconfirmed(_ item: ItemID) -> Bool { unconfirmedItems.contains(newName(of: item)) }

  /// The identifiers that items have after the batch, by the old ones.
  var newNames: [ItemID: ItemID] { passage?.newNames ?? [:] }

  /// Whether the batch gives items other identifiers.
  var renamesItems: Bool { !newNames.isEmpty }

  /// Whether another state than that before the batch is or was on display.
  var hasSetOut: Bool { !former.isEmpty }

  /// The path of an item, by the identifier that it has before the batch or after it.
  func path(of item: ItemID) -> ItemPath? {
    if let path = snapshot.itemPath(for: item) { return path }
    let other = passage?.newNames[item] ?? passage?.oldNames[item]
    return other.flatMap(snapshot.itemPath(for:))
  }

  /// The path of the row that stands for an item: its own, or that of its nearest ancestor with a row.
  ///
  /// - Complexity: O(d · log n) for d ancestors, of n items.
  func path(standingFor item: ItemID) -> ItemPath? {
    if let path = path(of: item) { return path }
    let state = passage?.to ?? snapshot
    let item = newName(of: item)
    guard
      let outline = state.sectionIdentifier(containingItem: item).flatMap(state.outline(ofSection:))
    else { return nil }
    var ancestor = outline.parent(of: item)
    while let item = ancestor {
      if let path = path(of: item) { return path }
      ancestor = outline.parent(of: item)
    }
    return nil
  }

  /// What a state has for an item: if possible, the state after the batch.
  func element<Element>(of item: ItemID, _ find: (Snapshot<SectionID, ItemID>, ItemID) -> Element?)
    -> Element?
  {
    guard let passage else { return find(snapshot, item) }
    // Without models, a row shows the identifier that it has on display.
    let name = passage.to.kernels.models == nil ? item : newName(of: item)
    return find(passage.to, name) ?? find(snapshot, item) ?? find(passage.from, item)
  }

  /// How a row is drawn: as after the batch or, if it is deleted, as before.
  func disclosure(ofItemAt path: ItemPath) -> Disclosure? {
    if snapshot.outline(ofSectionAt: path.section) != nil || passage == nil {
      return snapshot.disclosure(ofItemAt: path)
    }
    return snapshot.itemIdentifier(for: path).flatMap { disclosure(of: $0) }
  }

  /// The same by identifier.
  func disclosure(of item: ItemID) -> Disclosure? {
    guard let passage, snapshot.disclosure(of: item) == nil else {
      return snapshot.disclosure(of: item)
    }
    let name = newName(of: item)
    return passage.to.itemPath(for: name) == nil
      ? passage.from.disclosure(of: item) : passage.to.disclosure(of: name)
  }
}

extension Display where SectionID: ModelledSection {
  /// The model of a section: if possible, that after the batch.
  func model(ofSection section: SectionID) -> SectionID.SectionModel? {
    guard let passage else { return snapshot.sectionModel(of: section) }
    let isThere = passage.to.containsSection(section)
    return (isThere ? passage.to : passage.from).sectionModel(of: section)
  }
}
