public import Diffable
public import Observation

/// A source as sections and items that SwiftUI and other code can observe.
///
/// ```swift
/// struct Inbox: View {
///   let list: ObservableList<Folder, Message.ID>
///   var body: some View {
///     List {
///       ForEach(list.sections) { section in
///         Section(section.id.name) {
///           ForEach(section.items, id: \.self) { id in
///             MessageRow(message: list.model(for: id, as: Message.self))
///           }
///         }
///       }
///     }
///   }
/// }
/// ```
///
/// Observers are notified only of what concerns them. ``sections`` changes when sections are
/// inserted, deleted or moved, and ``ObservableSection/items`` when items are inserted, deleted or
/// moved in that section. If a section is an outline, ``ObservableSection/disclosure(of:)`` tells
/// how its rows are drawn. A section stays the same object as long as its identifier is in the
/// list. No item is copied.
///
/// In a list of models, ``model(for:as:)`` and ``isUnconfirmed(_:)`` are observed item by item, and
/// ``ObservableSection/model`` section by section. In a list of identifiers, the list does not know
/// what an item shows: observe your own models, or ``refreshedItems``.
@MainActor
@Observable
public final class ObservableList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// A section and its items.
  public typealias Section = ObservableSection<SectionID, ItemID>

  /// The sections, in order.
  public private(set) var sections: [Section] = []

  /// The items that the newest batch with refreshes reloaded or reconfigured.
  ///
  /// Items of reloaded sections are included.
  public private(set) var refreshedItems: [ItemID] = []

  /// The state on display.
  ///
  /// It changes with every batch, and its observers are notified of every batch.
  public private(set) var snapshot = Snapshot<SectionID, ItemID>()

  /// The revision on display; `nil` before the first batch.
  @ObservationIgnored public private(set) var revision: Revision?

  /// The token of the state on display, which identifies the source of the revision.
  @ObservationIgnored private var token: ResumeToken?

  @ObservationIgnored private let follower = Follower<SectionID, ItemID>()

  @ObservationIgnored private let observedItems = ObservedItems<ItemID>()
  /// The state on display, for code that does not observe all of it.
  @ObservationIgnored private var shown = Snapshot<SectionID, ItemID>()
  @ObservationIgnored private var unconfirmedItems: Set<ItemID> = []

  /// Creates a list without sections.
  public init() {}

  deinit {
    // The main actor may release the list, and be the last to hold what it shows.
    let remains = Handover((_snapshot, shown))
    let weight = shown.weight
    (_sections, _snapshot, shown) = ([], Snapshot(), Snapshot())
    releaseInTask(remains, weight: weight)
  }

  /// Follows a source until it finishes, the task is cancelled, or the list follows something else.
  ///
  /// If the list has followed the source before, it continues where it stopped.
  ///
  /// - Returns: Why it has ended.
  @discardableResult
  public func follow(_ source: any ListSource<SectionID, ItemID>) async -> FollowingEnd {
    await follower.follow(source, after: token) { batch in
      display(batch)
      return .shown
    }
  }

  /// Follows a source as long as this list exists.
  ///
  /// The source is held only if it is derived from another one. Keep any other source: following ends when it is
  /// released.
  ///
  /// The task that this starts has neither the priority nor the task-local values of the caller. It ends
  /// with the list, with ``stop()``, and for all reasons for which
  /// ``follow(_:)`` ends.
  public func start(following source: any ListSource<SectionID, ItemID>) {
    follower.start(source, after: token) { [weak self] batch in
      self?.display(batch)
      return self == nil ? .hostGone : .shown
    }
  }

  /// Ends what ``start(following:)`` began.
  public func stop() {
    follower.stop()
  }

  /// Waits until a revision of the followed source, or a later one, is on display.
  ///
  /// - Parameter revision: The revision, for example what `apply` returned. It may be one that is
  ///   still to come.
  /// - Returns: Whether it is on display. It stays there when the source is released. It is not there if the
  ///   list stops following the source before it was shown, shows something else, or follows no source, or
  ///   if the waiting task is cancelled.
  @discardableResult
  public func displayed(_ revision: Revision) async -> Bool {
    await follower.displayed(revision, token)
  }

  /// The model of an item on display.
  ///
  /// It is `nil` if the item does not exist or the followed source has no such models. Observers
  /// are notified when this item shows something else, not when others do. An item that an outline
  /// hides is not observed. Observers of one that is not in the list may be notified although it does not come.
  ///
  /// - Complexity: The cost of `Snapshot.itemPath(for:)`.
  public func model<Model: Identifiable & Equatable & Sendable>(
    for item: ItemID, as type: Model.Type = Model.self
  ) -> Model? where Model.ID == ItemID {
    observedItems.access(item)
    return shown.model(of: item, as: type)
  }

  /// Whether an item on display shows a change that others have not accepted yet, as in a list that
  /// proposes its changes to a server.
  ///
  /// Observers are notified as by ``model(for:as:)``.
  ///
  /// - Complexity: O(1), given a good hash.
  public func isUnconfirmed(_ item: ItemID) -> Bool {
    observedItems.access(item)
    return unconfirmedItems.contains(item)
  }

  /// Shows a batch that comes from somewhere other than a source, with or without models.
  ///
  /// The list stops following its source.
  ///
  /// - Complexity: O(s + c) for s sections and c changes; O(s + n) for n items if the batch does
  ///   not start at the revision on display.
  public func show(_ batch: some ListBatch<SectionID, ItemID>) {
    follower.forget()
    display(batch.update)
  }
}

extension ObservableList {
  private func display(_ batch: UpdateBatch<SectionID, ItemID>) {
    let isContinuous =
      batch.base != nil && batch.baseToken == token
      && batch.difference.misplacedPosition(from: snapshot.base, to: batch.snapshot.base) == nil
    (token, revision) = (batch.token, batch.target)
    let new = batch.snapshot
    if isContinuous {
      showSections(
        of: new, changed: Set(changedSections(batch.difference)),
        batch.difference.outlineChanges)
      showSectionModels(of: batch)
      showRefreshes(of: batch)
    } else {
      showSections(of: new, changed: nil, nil)
      for section in sections { section.anyModel = new.anyModel(ofSection: section.id) }
    }
    let former = Handover((snapshot, shown))
    let weight = snapshot.weight
    shown = new
    snapshot = new
    // The previous items are released after the access.
    var unconfirmed = batch.unconfirmedItems
    swap(&unconfirmedItems, &unconfirmed)
    observedItems.follow(batch, isContinuous: isContinuous)
    follower.didShow(batch)
    releaseInTask(former, weight: weight)
  }

  private func showSectionModels(of batch: UpdateBatch<SectionID, ItemID>) {
    let difference = batch.difference
    let reloaded = PositionMap(difference).newSections(forOld: difference.sectionReloads)
    for index in difference.sectionReconfigures.union(reloaded).ranges.joined() {
      sections[index].anyModel = batch.snapshot.anyModel(ofSection: sections[index].id)
    }
  }

  /// The sections that stay and whose items change, by their new index.
  private func changedSections(_ difference: SnapshotDifference) -> [Int] {
    let map = PositionMap(difference)
    let left =
      difference.itemDeletes.ranges.map(\.section) + difference.itemMoves.map(\.from.section)
    let entered =
      (difference.itemInserts.ranges + difference.itemRenames.ranges).map(\.section)
      + difference.itemMoves.map(\.to.section)
    return left.compactMap(map.newSection(forOld:)) + entered
  }

  /// Shows the sections of a state.
  ///
  /// - Parameters:
  ///   - changed: The indices of sections whose items changed; by default all are compared.
  ///   - folded: The indices of sections whose outlines changed; by default all are compared.
  private func showSections(
    of new: Snapshot<SectionID, ItemID>, changed: Set<Int>?, _ folded: RangeSet<Int>?
  ) {
    let known = Dictionary(
      sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var shown: [Section] = []
    for index in 0..<new.numberOfSections {
      guard let id = new.sectionIdentifier(at: index) else { continue }
      let items = new.items(inSectionAt: index)
      let outline = new.outline(ofSectionAt: index)
      let section =
        known[id]
        ?? Section(
          id: id, items: items, outline: outline, anyModel: new.anyModel(ofSection: id))
      if let changed {
        if changed.contains(index) { section.items = items }
      } else if !section.items.elementsEqual(items) {
        section.items = items
      }
      if folded?.contains(index) ?? (section.outline != outline) { section.outline = outline }
      shown.append(section)
    }
    // Released after the access: that can run code of the user, which may read this list.
    let former = sections
    if !shown.elementsEqual(former, by: ===) { sections = shown }
    withExtendedLifetime(former) {}
  }

  private func showRefreshes(of batch: UpdateBatch<SectionID, ItemID>) {
    let (difference, new) = (batch.difference, batch.snapshot)
    guard difference.hasRefreshes else { return }
    let map = PositionMap(difference)
    let reloaded = map.newSections(forOld: difference.sectionReloads)
    let former = refreshedItems
    defer { withExtendedLifetime(former) {} }
    refreshedItems =
      reloaded.ranges.joined().flatMap { Array(new.items(inSectionAt: $0)) }
      + (Array(map.newPaths(forOld: difference.itemReloads)) + Array(difference.itemReconfigures))
      .filter { !reloaded.contains($0.section) }.compactMap(new.itemIdentifier(for:))
  }
}
