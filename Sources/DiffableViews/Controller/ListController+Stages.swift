public import Diffable

extension ListController {
  /// Shows a batch that comes from somewhere other than a source, such as another process, with or without models.
  ///
  /// Returns when the batch is on the screen. If it does not start at the state on display, by its base or
  /// by its numbers of rows, it is shown from scratch. Concurrent calls show their batches one after another.
  /// The list stops following its source.
  ///
  /// - Complexity: The cost of cutting the batch into stages, which is done off the main actor. On
  ///   it, O(v · log n + (r + c) · log c) for v cells that the view has, n items, r ranges of selected rows
  ///   and c changes, and O(log n) for each selected row that leaves.
  public func show(_ batch: some ListBatch<SectionID, ItemID>) async {
    leaveTurn()
    follower.forget()
    await turns.take()
    defer { turns.pass() }
    await show(inTurn: batch.update)
  }

  /// Shows a batch, and returns when it is on the screen; the caller must have the turn.
  func show(inTurn batch: UpdateBatch<SectionID, ItemID>) async {
    await present(batch)
    releaseFormerStates()
  }

  private func present(_ batch: UpdateBatch<SectionID, ItemID>) async {
    arriving = batch
    guard let profile = host?.profile else { return arriving = nil }
    let (stages, passage, difference) = await Self.stages(
      of: batch, for: profile, fromScratch: batch.base == nil || batch.baseToken != display.token,
      after: snapshot)
    arriving = nil
    let end = passage.to
    display.setOut(on: passage)
    // The preview of a drag is of the same revision, and does not say which items are unconfirmed.
    if batch.base != batch.target {
      _ = display.replaceUnconfirmedItems(with: batch.unconfirmedItems)
    }
    renameAbsentItems()
    // A list that was to open at a row that did not come opens as others do.
    if let item = openingPlace?.item, end.numberOfItems > 0,
      !end.containsItem(item.new), !end.containsItem(item.old)
    {
      openingPlace = nil
    }
    holdPlace(through: difference, batch.presentation)
    for (number, stage) in stages.enumerated()
    where !(await perform(stage, of: batch, to: end, isLast: number == stages.count - 1)) {
      // Of a state between two stages it is not known what leads to the end.
      reset(to: end, through: display.hasSetOut ? nil : difference)
      break
    }
    // What an outline hides can change without a stage.
    if stages.isEmpty { install(end, through: difference) }
    heldPlace = nil
    if end.numberOfItems > 0 { openingPlace = nil }
    display.arrive(at: batch)
    forgetPrefetchedItemsThatAreGone()
    deselectItemsThatAreGone()
    takeSelectionOfView()
    displayHandler?(batch.target)
    follower.didShow(batch)
  }

  /// The stages of a batch, the passage to the state after it, and what changes for the rows.
  ///
  /// Each stage has a state in which identifiers can be looked up.
  private static func stages(
    of batch: UpdateBatch<SectionID, ItemID>, for profile: ListProfile, fromScratch: Bool,
    after shown: Snapshot<SectionID, ItemID>
  ) async -> (
    stages: [UpdateStage<SectionID, ItemID>], passage: Display<SectionID, ItemID>.Passage,
    difference: SnapshotDifference
  ) {
    await Task.detached(priority: Task.currentPriority) {
      // A batch that was made by hand can start elsewhere, whatever it names as its base.
      let fromScratch =
        fromScratch || !(batch.previousSnapshot.map(shown.hasSamePositions) ?? false)
      var stages =
        fromScratch ? [UpdateStage(resettingTo: batch.snapshot)] : batch.stages(for: profile)
      var previous = shown
      // If there are many stages, each lasts for one operation only.
      for index in stages.indices where index < 4 || index == stages.count - 1 {
        stages[index].snapshot = stages[index].snapshot.resolved(continuing: previous)
        previous = stages[index].snapshot
      }
      let end = stages.last?.snapshot ?? batch.snapshot.resolved(continuing: shown)
      // The rows that stay are found even if the list is shown from scratch.
      let difference =
        fromScratch ? end.difference(from: shown, renaming: batch.renamedItems) : batch.difference
      // Of a row that the query hides by now, the base knows the last name.
      let known = Set(batch.baseRenames.map(\.old))
      let renamed = batch.baseRenames + batch.renamedItems.filter { !known.contains($0.old) }
      return (stages, .init(from: shown, to: end, renaming: renamed), difference)
    }.value
  }

  /// The differences for the host in a stage, in order; `nil` if it has to be reset instead.
  private func differences(
    toPerform stage: UpdateStage<SectionID, ItemID>
  ) -> [SnapshotDifference]? {
    guard let host, !stage.isReset, host.takesStages,
      host.numberOfSections == snapshot.numberOfSections
    else { return nil }
    return reconfigureViews(of: stage, in: host)
  }

  /// Shows a stage; `false` if the host has to be reset instead.
  private func perform(
    _ stage: UpdateStage<SectionID, ItemID>, of batch: UpdateBatch<SectionID, ItemID>,
    to end: Snapshot<SectionID, ItemID>, isLast: Bool
  ) async -> Bool {
    await followReader(to: end, of: batch)
    guard let differences = differences(toPerform: stage) else { return false }
    let isAnimated = batch.presentation == .animated
    for (number, difference) in differences.enumerated() {
      if number > 0 { await followReader(to: end, of: batch) }
      let endsBatch = isLast && number == differences.count - 1
      guard await perform(difference, of: stage, isAnimated: isAnimated, isLast: endsBatch) else {
        return false
      }
    }
    return true
  }

  /// Passes a stage to the host and waits for its end; `false` if the host has to be reset instead.
  ///
  /// The host is not held while it works: nothing here may outlive a call of it.
  private func perform(
    _ difference: SnapshotDifference, of stage: UpdateStage<SectionID, ItemID>, isAnimated: Bool,
    isLast: Bool
  ) async -> Bool {
    var isBegun = false
    await withCheckedContinuation { continuation in
      let handed = ListStage(
        difference: difference, isAnimated: isAnimated,
        anchor: anchor(in: stage.snapshot), isLast: isLast,
        install: {
          (isBegun, self.isViewBehind) = (true, true)
          self.install(stage.snapshot, through: difference)
        }, ending: continuation)
      host?.perform(handed)
      isViewBehind = false
      didShowPlace()
    }
    isViewBehind = false
    guard isBegun else {
      if host != nil { errorHandler?(.stageNotBegun) }
      return false
    }
    showSelection()
    scrollToAwaitedPlace()
    return true
  }

  /// Shows a state from scratch; without a host, only records it.
  ///
  /// - Parameter difference: What has changed for the rows on display; `nil` if that is not known.
  func reset(to snapshot: Snapshot<SectionID, ItemID>, through difference: SnapshotDifference?) {
    isViewBehind = true
    install(snapshot, through: difference)
    host?.reset(keeping: anchor(in: snapshot))
    isViewBehind = false
    showSelection()
    scrollToAwaitedPlace()
  }

  /// Puts a state on display.
  ///
  /// - Parameter difference: What has changed for the rows on display; `nil` if that is not known.
  func install(_ new: Snapshot<SectionID, ItemID>, through difference: SnapshotDifference?) {
    let former = snapshot
    display.install(new)
    moveSelection(from: former, through: difference)
  }

  /// Cancels the prefetching of items that can no longer appear on the screen.
  private func forgetPrefetchedItemsThatAreGone() {
    // Items hidden by a collapsed row cannot appear either.
    let gone = prefetched.removeAll { snapshot.itemPath(for: $0) == nil }
    if !gone.isEmpty { prefetchCancellationHandler?(gone) }
  }

  /// Lets a task release the states that are no longer on display.
  ///
  /// Called after a batch, when no function on the main actor holds them any more. Otherwise the
  /// task could be done before such a function, and the main actor would be the last holder.
  func releaseFormerStates() {
    let former = display.rest()
    let weight = former.states.reduce(0) { $0 + $1.weight }
    releaseInTask(Handover(consume former), weight: weight)
  }
}

extension Snapshot {
  /// Whether another state has as many sections, and as many rows in each: then it has the same positions.
  ///
  /// - Complexity: O(1) if they share storage, otherwise O(s · log s) for s sections.
  fileprivate func hasSamePositions(as other: Snapshot) -> Bool {
    base.order.isIdentical(to: other.base.order)
      || numberOfSections == other.numberOfSections
        && (0..<numberOfSections).allSatisfy {
          itemCount(ofSectionAt: $0) == other.itemCount(ofSectionAt: $0)
        }
  }
}
