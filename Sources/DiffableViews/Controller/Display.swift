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
    /// An old identifier may also be that of another item after the batch.
    let newNames: [ItemID: ItemID]
    /// Whether the state on display has the new identifiers.
    var isNamed = false
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
  /// The states that were on display since the batch began, and are not any more.
  private var former: [Snapshot<SectionID, ItemID>] = []

  /// The passage to a state, by a batch that renames items.
  func passage(
    to end: Snapshot<SectionID, ItemID>, renaming renamed: [ItemRename<ItemID>]
  ) -> Passage {
    Passage(
      from: snapshot, to: end,
      newNames: Dictionary(
        renamed.lazy.filter { end.containsItem($0.new) }.map { ($0.old, $0.new) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// Prepares for a batch.
  ///
  /// The passage was made before: that compares identifiers, and code of the user may read the
  /// display meanwhile.
  mutating func setOut(on passage: Passage) { self.passage = passage }

  /// Puts a state on display.
  ///
  /// The previous one is kept until ``rest()``.
  ///
  /// - Parameter isNamed: Whether its renamed items have their new identifiers. Then those of all
  ///   later states of the batch do.
  /// - Returns: The new identifiers that items now have, by the old ones; `nil` if nothing is new.
  mutating func install(
    _ new: Snapshot<SectionID, ItemID>, isNamed: Bool
  ) -> [ItemID: ItemID]? {
    former.append(snapshot)
    snapshot = new
    guard isNamed, passage?.isNamed == false else { return nil }
    passage?.isNamed = true
    return passage?.newNames
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
  func newName(of item: ItemID) -> ItemID { passage?.newNames[item] ?? item }

  /// Whether the state on display has the identifiers of the state after the batch.
  var isNamed: Bool { passage?.isNamed ?? true }

  /// The path of an item, by its identifier before the batch or, if that names none, its present one.
  func path(of item: ItemID) -> ItemPath? {
    (isNamed ? snapshot.itemPath(for: newName(of: item)) : nil) ?? snapshot.itemPath(for: item)
  }

  /// The identifier that an item of the state on display has after the batch.
  private func finalName(of item: ItemID) -> ItemID { isNamed ? item : newName(of: item) }

  /// What a state has for an item: if possible, the state after the batch.
  func element<Element>(of item: ItemID, _ find: (Snapshot<SectionID, ItemID>, ItemID) -> Element?)
    -> Element?
  {
    guard let passage else { return find(snapshot, item) }
    return find(passage.to, finalName(of: item)) ?? find(snapshot, item) ?? find(passage.from, item)
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
    let final = finalName(of: item)
    return passage.to.itemPath(for: final) == nil
      ? passage.from.disclosure(of: item) : passage.to.disclosure(of: final)
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
