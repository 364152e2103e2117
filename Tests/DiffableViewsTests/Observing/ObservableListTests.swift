import Diffable
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("An observable list shows every state and tells no more than has changed", .deadline)
@MainActor
struct ObservableListTests {
  @Test("Notifications, section by section, are exactly the changes", arguments: [true, false])
  func laws(isContinuous: Bool) throws {
    for seed in 0..<UInt64(scoped(usual: 8, wide: 60, long: 4_000)) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let observed = ObservableList<Int, Int>()
      var batches = Batches()
      observed.show(try batches.next(generator.snapshot(.anyOf(sections: 4, items: 16))))
      for step in 0..<8 {
        let comment: Comment = "seed \(seed), step \(step)"
        let old = batches.snapshot
        let change = generator.random.element(of: SnapshotChange.allCases) ?? .mixed
        let new = generator.changing(old, by: change)
        let sections = observed.sections
        let watch = Watch { _ = observed.sections }
        let watches = sections.map { section in Watch { _ = section.items } }
        let items = old.itemIdentifiers.map { item in
          (item, Watch { _ = observed.model(for: item, as: Note.self) })
        }
        var batch = try batches.next(new)
        let difference = batch.difference
        if !isContinuous { batch.base = nil }
        observed.show(batch)

        #expect(observed.sections.map(\.id) == new.sectionIdentifiers, comment)
        #expect(
          observed.sections.map { Array($0.items) }
            == new.sectionIdentifiers.map(new.itemIdentifiers(inSection:)), comment)
        #expect(watch.hasFired == (old.sectionIdentifiers != new.sectionIdentifiers), comment)
        for (section, watch) in zip(sections, watches) where new.containsSection(section.id) {
          #expect(observed.sections.contains { $0 === section }, comment)
          let isChanged =
            old.itemIdentifiers(inSection: section.id) != new.itemIdentifiers(inSection: section.id)
          #expect(watch.hasFired == isChanged, comment)
        }
        let marked = Set(
          PositionMap(difference).newPaths(forOld: difference.itemReloads)
            .compactMap(new.itemIdentifier(for:))
            + difference.itemReconfigures.compactMap(new.itemIdentifier(for:))
            + difference.sectionReloads.ranges.joined().compactMap(old.sectionIdentifier(at:))
            .flatMap(new.itemIdentifiers(inSection:)))
        if isContinuous, difference.hasRefreshes {
          #expect(Set(observed.refreshedItems) == marked, comment)
          #expect(observed.refreshedItems.count == marked.count, comment)
        }
        for (item, watch) in items {
          if marked.contains(item) || !new.containsItem(item) {
            #expect(watch.hasFired, "item \(item), \(comment)")
          } else if isContinuous, new.itemPath(for: item) != nil,
            new.sectionIdentifier(containingItem: item)
              == old.sectionIdentifier(containingItem: item)
          {
            #expect(!watch.hasFired, "item \(item), \(comment)")
          }
        }
      }
    }
  }

  @Test("Sections that are outlines tell of every change of them", arguments: [true, false])
  func outlines(isContinuous: Bool) throws {
    for seed in 0..<UInt64(scoped(usual: 5, wide: 40, long: 2_000)) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let observed = ObservableList<Int, Int>()
      var batches = Batches()
      for step in 0..<20 {
        let comment: Comment = "seed \(seed), step \(step)"
        let old = batches.snapshot
        var new = old
        try? generator.anyEdit(of: new).apply(to: &new)
        if (try? new.validate()) == nil { new = old }
        let watches = observed.sections.map { section in
          (section, Watch { _ = section.outline }, Watch { _ = section.items })
        }
        var batch = try batches.next(new)
        if !isContinuous { batch.base = nil }
        observed.show(batch)
        for section in observed.sections {
          let outline = new.outline(ofSection: section.id)
          #expect(section.outline == outline, comment)
          for item in section.items {
            #expect(section.disclosure(of: item) == outline?.disclosure(of: item), comment)
          }
        }
        for (section, outline, items) in watches where new.containsSection(section.id) {
          #expect(
            outline.hasFired
              == (old.outline(ofSection: section.id) != new.outline(ofSection: section.id)), comment
          )
          #expect(
            items.hasFired
              == (old.itemIdentifiers(inSection: section.id)
                != new.itemIdentifiers(inSection: section.id)),
            comment)
        }
      }
    }
  }

  @Test("A batch that starts at the same number of another life is shown as a whole")
  func otherLife() throws {
    let observed = ObservableList<Int, Int>()
    var (batches, others) = (Batches(), Batches())
    observed.show(try batches.next(list([1, 2], [3])))
    _ = try others.next(list([7, 8], [9]))
    var foreign = try others.next(list([7, 8], [9, 10]))
    foreign.epoch = Epoch()
    observed.show(foreign)
    #expect(observed.sections.map { Array($0.items) } == [[7, 8], [9, 10]])
  }

  @Test("follows a source, to its end")
  func following() async throws {
    let source = try DataSourceActor<Int, Int>(list([1, 2]))
    let observed = ObservableList<Int, Int>()
    let following = Task { await observed.follow(source) }
    try await wait { observed.revision != nil }
    let section = try #require(observed.sections.first)
    try await source.update { try $0.appendItems([3]) }
    try await wait { observed.snapshot.numberOfItems >= 3 }
    #expect(Array(section.items) == [1, 2, 3])
    await source.finish()
    #expect(await following.value == .sourceFinished)
  }

  @Test(
    "A list that is stopped and started again tells of what has changed since, and no more",
    arguments: [false, true])
  func stopping(isAwaited: Bool) async throws {
    let source = try DataSourceActor<Int, Int>(list([1, 2], [3]))
    let observed = ObservableList<Int, Int>()
    var following: Task<FollowingEnd, Never>?
    func follow() {
      guard isAwaited else { return observed.start(following: source) }
      following = Task { await observed.follow(source) }
    }
    follow()
    try await wait { observed.revision != nil }
    observed.stop()
    following?.cancel()
    _ = await following?.value
    let watches = (1...3).map { item in Watch { _ = observed.model(for: item, as: Note.self) } }
    try await source.update { $0.deleteItems([2]) }
    follow()
    try await wait { !observed.snapshot.containsItem(2) }
    #expect(watches.map(\.hasFired) == [false, true, false])
    following?.cancel()
  }

  @Test("What start(following:) begins does not hold the list")
  func ownership() async throws {
    let source = try DataSourceActor<Int, Int>(list([1, 2]))
    var observed: ObservableList? = ObservableList<Int, Int>()
    observed?.start(following: source)
    try await wait { observed?.revision != nil }
    observed?.stop()
    observed?.start(following: source)
    let gone = Weak(object: observed)
    observed = nil
    try await wait { gone.object == nil }
    let revision = try await source.update { try $0.appendItems([3]) }.revision
    await source.delivered(revision)
  }

  @Test("Of a reloaded item its observers are told, wherever others come, go and move before it")
  func reloads() throws {
    let edits: [(inout Snapshot<Int, Int>) throws -> Void] = [
      { try $0.insertItems([9], beforeItem: 1) },
      { $0.deleteItems([1]) },
      { try $0.moveItem(4, beforeItem: 1) },
      { try $0.insertSections([7], beforeSection: 0) },
    ]
    for (number, edit) in edits.enumerated() {
      for reloaded in 1...4 {
        let observed = ObservableList<Int, Int>()
        var batches = Batches()
        var list = Snapshot<Int, Int>()
        list.appendSections([0])
        try list.appendItems([1, 2, 3, 4], toSection: 0)
        observed.show(try batches.next(list))
        let watches = (1...4).map { item in
          Watch { _ = observed.model(for: item, as: Note.self) }
        }
        try edit(&list)
        guard list.containsItem(reloaded) else { continue }
        try list.reloadItems([reloaded])
        observed.show(try batches.next(list))
        for (item, watch) in zip(1...4, watches) {
          let isTold = item == reloaded || !list.containsItem(item)
          #expect(
            watch.hasFired == isTold, "edit \(number), \(reloaded) is reloaded, item \(item)")
        }
      }
    }
  }
}
