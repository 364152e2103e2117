import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("A list while a batch is under way, and after something has failed", .deadline)
@MainActor
struct UnderWayTests {
  @Test("Between the stages, what is selected is what is shown", arguments: everyProfile)
  func selection(profile: ListProfile) async throws {
    var (host, controller, batches) = try await shownList([1, 2, 3, 4], [5, 6], profile: profile)
    controller.select([2, 5])
    var new = batches.snapshot
    try new.renameItem(2, to: 20)
    try new.moveItem(4, beforeItem: 1)
    try new.insertItems([7], beforeItem: 6)
    new.deleteItems([3])
    try new.moveSection(1, beforeSection: 0)
    let batch = try batches.next(new)
    host.holdsStages = true
    var isShown = false
    let showing = Task {
      await controller.show(batch)
      isShown = true
    }
    var stages = 0
    while !isShown {
      try await wait(for: "A stage") { isShown || host.heldStage != nil }
      guard host.heldStage != nil else { break }
      stages += 1
      let selected = controller.selectedItems
      #expect(selected.isSubset(of: controller.snapshot.itemIdentifiers), "stage \(stages)")
      #expect(selected.count == 2, "stage \(stages)")
      // The program may know the new name already, or only the old one.
      for name in [2, 20] {
        let path = controller.itemPath(for: 2) ?? controller.itemPath(for: 20)
        #expect(host.content?.itemPath(withIdentity: AnyItemID(name)) == path, "stage \(stages)")
        #expect(host.content?.itemPath(standingFor: AnyItemID(name)) == path, "stage \(stages)")
        #expect(controller.scroll(to: name), "stage \(stages)")
        #expect(controller.isSelected(name), "stage \(stages)")
      }
      // What a host has remembered of a renamed row leads to it, whatever its name is by now.
      let row = controller.itemPath(for: 2) ?? controller.itemPath(for: 20)
      #expect(row != nil, "stage \(stages)")
      #expect(controller.content.itemPath(withIdentity: AnyItemID(2)) == row, "stage \(stages)")
      host.endStage()
    }
    await showing.value
    #expect(
      host.selectedItemPaths
        == ItemPathSet(controller.selectedItems.compactMap(controller.itemPath(for:))))
    #expect(stages > 1 && controller.selectedItems == [20, 5])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("Between the stages, every row has a model, by its old name or by its new one")
  func models() async throws {
    for profile in everyProfile {
      let source = ModelSource<Folder, Note>()
      try await source.apply((1...9).map { Note(id: $0, text: $0) }) { _ in Folder(number: 0) }
      let host = Host(profile: profile, visibleRowCount: 3)
      var shown: [String] = []
      let cells = CellRegistration<SimulatedView, Note> { cell, _, note in
        cell.text = "\(note.text)"
        shown.append("\(note.id)")
      }
      let controller = ListController(host: host, following: source) { views, path, note in
        try views.dequeueConfiguredReusableCell(using: cells, for: path, item: note)
      }
      var errors: [ListError] = []
      controller.errorHandler = { errors.append($0) }
      await controller.displayed(await source.revision)
      // Rows that were out of sight come into it under their old names.
      let revision = try await source.update { draft in
        try draft.renameItem(5, to: Note(id: 50, text: 55))
        try draft.renameItem(6, to: Note(id: 60, text: 66))
        draft.deleteItems([1, 2, 3, 4])
        try draft.moveItem(9, beforeItem: 7)
      }.revision
      await controller.displayed(revision)
      #expect(errors == [], "\(profile)")
      #expect(host.texts == ["55", "66", "9"], "\(profile)")
      #expect(host.violations.isEmpty, "\(host.violations)")
    }
  }

  @Test("A change of rows that an outline hides arrives, although nothing is drawn for it")
  func hiddenRows() async throws {
    var outline = Outline<Int>()
    try outline.append([1, 2])
    try outline.append([3], to: 1)
    let source = ModelSource<Folder, Note>()
    try await source.update { [outline] draft in
      let folder = Folder(number: 0)
      draft.snapshot.appendSections([folder])
      try draft.snapshot.setOutline(outline, forSection: folder)
      draft.setModels((1...3).map { Note(id: $0) })
    }
    let host = Host(profile: .collectionView)
    let controller = ListController(host: host, following: source) { _, _, _ in SimulatedView() }
    await controller.displayed(await source.revision)
    let stages = host.stageCount
    for text in 1...3 {
      await controller.displayed(try await source.setModel(Note(id: 3, text: text)).revision)
      #expect(controller.model(for: 3, as: Note.self)?.text == text)
    }
    #expect(host.stageCount == stages)
  }

  /// A list of 1, with 3 folded away below it, and 2.
  private func foldedSource() async throws -> DataSourceActor<Int, Int> {
    var outline = try Outline([1, 2])
    try outline.append([3], to: 1)
    let source = DataSourceActor<Int, Int>()
    try await source.update { [outline] snapshot in
      snapshot.appendSections([0])
      try snapshot.setOutline(outline, forSection: 0)
    }
    return source
  }

  @Test(
    "A row that a batch under way renames folds and is dragged by its former name",
    arguments: everyProfile)
  func renamedRow(profile: ListProfile) async throws {
    for isDrag in [false, true] {
      let source = try await foldedSource()
      let host = Host(profile: profile)
      let controller = Rows().controller(of: host)
      controller.start(following: source)
      await controller.displayed(await source.revision)
      host.holdsStages = true
      try await source.update { snapshot in
        try snapshot.renameItem(1, to: 10)
        snapshot.deleteItems([2])
      }
      await host.stageBegun()
      #expect(controller.itemIdentifier(for: ItemPath(section: 0, item: 0)) == 1)
      if !isDrag { controller.toggleExpansion(of: 1) }
      let dragging = Task { isDrag ? try await controller.beginReorder([1]) : false }
      // It waits for the end of the batch.
      for _ in 0..<50 { await Task.yield() }
      host.holdsStages = false
      host.endStage()
      if isDrag {
        #expect(try await dragging.value)
        #expect(controller.reorderedItems == [10])
        await controller.cancelReorder()
      } else {
        try await wait { host.texts == ["10", "3"] }
      }
      #expect(host.violations.isEmpty, "\(host.violations)")
    }
  }

  @Test(
    "So does a row that a batch renames whose stages are still being found",
    arguments: [false, true])
  func rowOfArrivingBatch(isDrag: Bool) async throws {
    let source = try await foldedSource()
    let host = PlainHost()
    let controller = ListController<Int, Int, PlainHost>(host: host) { _, _, _ in nil }
    controller.start(following: source)
    await controller.displayed(await source.revision)
    var dragging: Task<Bool, any Error>?
    host.prepare = {
      host.prepare = {}
      guard isDrag else { return controller.toggleExpansion(of: 1) }
      // It begins in the middle of this, not when the main actor comes to it.
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        dragging = Task.immediate { try await controller.beginReorder([1]) }
      }
    }
    let revision = try await source.update { try $0.renameItem(1, to: 10) }.revision
    await controller.displayed(revision)
    if isDrag {
      guard let dragging else { return }
      #expect(try await dragging.value)
      #expect(controller.reorderedItems == [10])
      await controller.cancelReorder()
    } else {
      try await wait { controller.disclosure(of: 10)?.sign == .expanded }
    }
  }

  @Test("What a collapsed row hides is prefetched no longer")
  func prefetching() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    var cancelled: [[Int]] = []
    controller.prefetchCancellationHandler = { cancelled.append($0.sorted()) }
    var outline = Outline<Int>()
    try outline.append([1, 2])
    try outline.append([3, 4], to: 1)
    outline.expand([1])
    var new = try list([])
    try new.setOutline(outline, forSection: 0)
    var batches = Batches()
    await controller.show(try batches.next(new))
    controller.content.prefetchItems(at: (0..<4).map { ItemPath(section: 0, item: $0) })
    new.collapseItems([1])
    await controller.show(try batches.next(new))
    #expect(cancelled == [[3, 4]])
  }

  @Test("The place of a row stays when it is renamed in a list that is shown from scratch")
  func anchors() async throws {
    for (isReset, profile) in [(true, ListProfile.collectionView), (false, .sequential)] {
      var (host, controller, batches) = try await shownList(Array(1...9), profile: profile, rows: 3)
      host.scroll(toRow: 3)
      var new = batches.snapshot
      // Every row that is on the screen, so that no other one keeps its place for it.
      for item in 4...6 { try new.renameItem(item, to: 10 * item) }
      try new.insertItems([11, 12], beforeItem: 1)
      await controller.show(try batches.next(new, presentation: isReset ? .reset : .animated))
      #expect(host.texts == ["40", "50", "60"], "\(profile)")
    }
  }

  @Test("A drag that the source refuses to begin holds up nobody")
  func refusedDrag() async throws {
    let source = DataSourceActor<Int, Int>(options: SourceOptions(history: 0))
    try await source.apply(list([1, 2, 3]))
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    controller.start(following: source)
    await controller.displayed(await source.revision)
    controller.stop()
    try await wait { source.population.subscribers == 0 }
    // The source has no longer what is on display.
    for item in 4...6 { try await source.update { try $0.appendItems([item]) } }
    for _ in 0..<2 {
      var error: (any Error)?
      var hasEnded = false
      let dragging = Task {
        do { _ = try await controller.beginReorder([1]) } catch let refusal { error = refusal }
        hasEnded = true
      }
      try await wait(for: "The turn") { hasEnded }
      #expect(error as? DataSourceError == .unknownRevision(Revision(1)))
      dragging.cancel()
    }
  }

  @Test("A wait for a revision of one source ends when another one is followed")
  func otherSource() async throws {
    let host = Host(profile: .collectionView)
    let controller = Rows().controller(of: host)
    let (first, second) = (DataSourceActor<Int, Int>(), DataSourceActor<Int, Int>())
    controller.start(following: first)
    var results: [Bool] = []
    let waiting = Task { results.append(await controller.displayed(Revision(1))) }
    for _ in 0..<50 { await Task.yield() }
    controller.start(following: second)
    try await wait(for: "Word that the revision will not come") { !results.isEmpty }
    try await second.apply(list([1]))
    for _ in 0..<50 { await Task.yield() }
    #expect(results == [false])
    waiting.cancel()
    withExtendedLifetime((first, second)) {}
  }
}
