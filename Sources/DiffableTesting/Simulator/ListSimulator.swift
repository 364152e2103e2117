public import Diffable

/// A list view that does not draw: it performs updates and reports every violated rule.
///
/// A real view counts. This one also knows the identifiers, so it detects what a view cannot: a
/// cell that shows the wrong item. Pass it the batches that your code would pass to a view:
///
/// ```swift
/// var view = ListSimulator(showing: old, profile: .collectionView)
/// let violations = view.perform(batch)
/// #expect(violations.isEmpty, "\(violations)")
/// ```
///
/// You can also test code that drives a real view: record its calls as ``ListOperation`` values and
/// pass them to ``perform(_:from:to:)``.
///
/// After an update the simulator shows the new data, even if the update was wrong, so that each
/// update is checked separately. It is deliberately slow and simple, and shares no code with the
/// library.
public struct ListSimulator<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The kind of view.
  public let profile: ListProfile
  /// What the view shows.
  public private(set) var shown: Snapshot<SectionID, ItemID>
  /// The same as plain arrays.
  private var list: PlainList<SectionID, ItemID>
  /// Whether the view is in a window; without one it takes only resets.
  public var isInWindow = true
  /// Whether the view has been laid out; before that it takes only resets.
  public var isLaidOut = true

  /// Creates a view that shows a snapshot.
  public init(
    showing shown: Snapshot<SectionID, ItemID> = Snapshot(), profile: ListProfile
  ) {
    self.shown = shown
    list = PlainList(shown)
    self.profile = profile
  }

  /// Shows a snapshot from scratch.
  public mutating func reset(to snapshot: Snapshot<SectionID, ItemID>) {
    shown = snapshot
    list = PlainList(snapshot)
  }

  /// Performs all stages of a batch for this kind of view.
  ///
  /// - Returns: Every violation, in the order of the stages.
  public mutating func perform(
    _ batch: UpdateBatch<SectionID, ItemID>
  ) -> [ListViolation] {
    var violations = perform(
      batch.stages(for: profile), from: batch.base == nil ? nil : batch.previousSnapshot)
    if shown != batch.snapshot {
      violations.append(
        ListViolation(.c8, "The last stage does not end on the snapshot of the batch."))
    }
    return violations
  }

  /// Performs stages one after another.
  ///
  /// - Parameters:
  ///   - stages: The stages of a batch.
  ///   - model: What the view's data source returns before the first stage; by default what the
  ///     view shows.
  /// - Returns: Every violation, in the order of the stages.
  public mutating func perform(
    _ stages: [UpdateStage<SectionID, ItemID>], from model: Snapshot<SectionID, ItemID>? = nil
  ) -> [ListViolation] {
    var violations: [ListViolation] = []
    var changeCount = 0
    for (index, stage) in stages.enumerated() {
      guard !stage.isReset else {
        reset(to: stage.snapshot)
        changeCount = 0
        continue
      }
      let new = PlainList(stage.snapshot)
      let operations = [ListOperation](
        stage.difference, oldItemCounts: list.itemCounts, newItemCounts: new.itemCounts)
      changeCount += operations.count
      let broken = update(
        operations, from: index == 0 ? model : nil, to: stage.snapshot, new,
        changeCount: changeCount, renaming: stage.difference.itemRenames)
      for var violation in broken {
        violation.stage = index
        violations.append(violation)
      }
    }
    return violations
  }

  /// Performs calls as one update.
  ///
  /// - Parameters:
  ///   - operations: The calls, in any order.
  ///   - model: What the view's data source returns before the update; by default what the view
  ///     shows.
  ///   - new: What the data source returns after it.
  /// - Returns: Every violation.
  public mutating func perform(
    _ operations: [ListOperation], from model: Snapshot<SectionID, ItemID>? = nil,
    to new: Snapshot<SectionID, ItemID>
  ) -> [ListViolation] {
    update(operations, from: model, to: new, PlainList(new), changeCount: operations.count)
  }

  private mutating func update(
    _ operations: [ListOperation], from model: Snapshot<SectionID, ItemID>?,
    to new: Snapshot<SectionID, ItemID>, _ newList: PlainList<SectionID, ItemID>,
    changeCount: Int, renaming renamed: ItemPathSet = []
  ) -> [ListViolation] {
    // A row gets its new name with a refresh, and may have it slightly earlier.
    let canRename = !renamed.isEmpty && operations.allSatisfy(\.isRefresh)
    let violations =
      stateViolations(model: canRename && model == new ? shown : model, changeCount: changeCount)
      + ListUpdate(operations, from: list, to: newList, renaming: canRename ? renamed : [])
      .violations()
    shown = new
    list = newList
    let rules = ListRule.rules(of: profile)
    return violations.filter { rules.contains($0.rule) }
  }

  /// The violations before the first call: rules C8, S8, S9 and S12.
  private func stateViolations(
    model: Snapshot<SectionID, ItemID>?, changeCount: Int
  ) -> [ListViolation] {
    var violations: [ListViolation] = []
    if let model, model != shown {
      violations.append(
        ListViolation(.c8, "Before the update the data is \(model), but the view shows \(shown)."))
      if model.numberOfSections != shown.numberOfSections {
        violations.append(
          ListViolation(
            .s9,
            "The data has \(model.numberOfSections) sections, the view \(shown.numberOfSections)."))
      }
    }
    if !isInWindow || !isLaidOut {
      let state = isInWindow ? "was never laid out" : "is not in a window"
      violations.append(ListViolation(.s8, "The view \(state) and can only be reset."))
    }
    if let limit = profile.changeLimit, changeCount > limit {
      violations.append(
        ListViolation(.s12, "\(changeCount) changes are more than the limit of \(limit)."))
    }
    return violations
  }
}

extension ListSimulator {
  /// Performs the change from one snapshot to another, as a data source would send it.
  ///
  /// - Parameters:
  ///   - old: What the view shows.
  ///   - new: What it should show; marks become reloads and reconfigures.
  ///   - profile: The kind of view.
  /// - Returns: Every violation; the library promises that there is none.
  /// - Throws: `SnapshotError.duplicateSections` or `SnapshotError.duplicateItems` if an identifier
  ///   appears twice.
  public static func violations(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    profile: ListProfile
  ) throws(SnapshotError) -> [ListViolation] {
    var view = ListSimulator(showing: old, profile: profile)
    return view.perform(try UpdateBatch(from: old, to: new))
  }
}
