import Diffable
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("Models of an observable list are observed one by one", .deadline)
@MainActor
struct ObservableModelTests {
  private typealias Notes = ModelSource<Folder, Note>

  @Test("Who looks at a model is told of that one, and of no other", arguments: [true, false])
  func oneByOne(isContinuous: Bool) async throws {
    for seed in 0..<UInt64(scoped(usual: 5, wide: 30, long: 2_000)) {
      var generator = SnapshotGenerator<Folder, Int>(
        seed: seed, section: { Folder(number: $0) }, item: { $0 })
      let source = Notes()
      let observed = ObservableList<Folder, Int>()
      var batches = source.updates().makeAsyncIterator()
      for step in 0..<10 {
        let comment: Comment = "seed \(seed), step \(step)"
        let old = observed.snapshot
        let items = old.itemIdentifiers
        let before = items.map { observed.model(for: $0, as: Note.self) }
        let sections = observed.sections
        let titles = sections.map(\.model)
        let watches = items.map { item in
          Watch { _ = observed.model(for: item, as: Note.self) }
        }
        let titleWatches = sections.map { section in Watch { _ = section.model } }

        let kind = generator.random.element(of: SnapshotChange.allCases) ?? .mixed
        let marked = generator.changing(old, by: kind)
        var new = Snapshot<Folder, Int>()
        new.appendSections(marked.sectionIdentifiers)
        for section in marked.sectionIdentifiers {
          try new.appendItems(marked.itemIdentifiers(inSection: section), toSection: section)
        }
        let changed = new.itemIdentifiers.filter {
          !old.containsItem($0) || generator.random.chance(oneIn: 4)
        }
        let reached = try await source.apply(
          new, models: changed.map { Note(id: $0, text: step) }
        ).revision
        if let section = generator.random.element(of: new.sectionIdentifiers) {
          try await source.setSectionModel("\(seed % 3)", for: section)
        }
        // Some are shown again, whether or not they are others.
        let reloaded = generator.random.sample(new.sectionIdentifiers, oneIn: 4)
        let again = generator.random.sample(new.itemIdentifiers, oneIn: 6)
        if !reloaded.isEmpty || !again.isEmpty {
          try await source.update { draft in
            try draft.snapshot.reloadSections(reloaded)
            try draft.snapshot.reloadItems(again)
          }
        }
        func isShownAgain(_ item: Int) -> Bool {
          again.contains(item)
            || new.sectionIdentifier(containingItem: item).map(reloaded.contains) ?? false
        }
        guard await source.revision != observed.revision ?? .empty, reached != .empty else {
          continue
        }
        var batch = try #require(await batches.next()).update
        if !isContinuous { batch.base = nil }
        observed.show(batch)

        for item in new.itemIdentifiers {
          #expect(
            await observed.model(for: item, as: Note.self) == source.model(for: item), comment)
        }
        for (item, (model, watch)) in zip(items, zip(before, watches)) {
          let isSame = new.containsItem(item) && observed.model(for: item, as: Note.self) == model
          if !isSame || isShownAgain(item) {
            #expect(watch.hasFired, "item \(item), \(comment)")
            continue
          }
          guard isContinuous, watch.hasFired else { continue }
          // It went to another section that has come, or left one that is gone.
          let isElsewhere =
            new.sectionIdentifier(containingItem: item)
            != old.sectionIdentifier(containingItem: item)
          #expect(isElsewhere, "item \(item), \(comment)")
        }
        for (section, (title, watch)) in zip(sections, zip(titles, titleWatches))
        where new.containsSection(section.id) {
          #expect(section.model == title || watch.hasFired, comment)
          if isContinuous, section.model == title, !reloaded.contains(section.id) {
            #expect(!watch.hasFired, comment)
          }
          #expect(await section.model == source.sectionModel(for: section.id), comment)
        }
      }
    }
  }

  @Test(arguments: 0..<6)
  func `Reloads tell of their sections and rows, wherever other edits put them`(
    edit: Int
  ) async throws {
    let folders = (0..<3).map { Folder(number: $0) }
    let (first, second, last, other) = (folders[0], folders[1], folders[2], Folder(number: 9))
    var list = Snapshot<Folder, Int>()
    for folder in folders {
      list.appendSections([folder])
      try list.appendItems([10 * folder.number, 10 * folder.number + 1], toSection: folder)
    }
    for changed in folders {
      for reloaded in [[], [changed], folders.filter { $0 != changed }, folders] {
        let source = Notes()
        try await source.apply(
          list, models: list.itemIdentifiers.map { Note(id: $0) },
          sectionModels: folders.map { ($0, "old") })
        let observed = ObservableList<Folder, Int>()
        var batches = source.updates().makeAsyncIterator()
        observed.show(try #require(await batches.next()).update)
        let items = list.itemIdentifiers.map { item in
          (item, Watch { _ = observed.model(for: item, as: Note.self) })
        }
        let titles = observed.sections.map { section in (section, Watch { _ = section.model }) }

        try await source.update { draft in
          switch edit {
          case 0: break
          case 1: try draft.snapshot.insertSections([other], beforeSection: first)
          case 2: try draft.snapshot.insertSections([other], beforeSection: last)
          case 3: try draft.snapshot.moveSection(last, beforeSection: first)
          case 4: try draft.snapshot.moveSection(first, afterSection: second)
          default:
            draft.snapshot.deleteSections([first])
            draft.snapshot.appendSections([other])
          }
          let snapshot = draft.snapshot
          if snapshot.containsSection(changed) { try draft.setSectionModel("new", for: changed) }
          try draft.snapshot.reloadSections(reloaded.filter(snapshot.containsSection))
        }
        let new = await source.snapshot
        observed.show(try #require(await batches.next()).update)

        let comment: Comment = "\(edit), changed: \(changed), reloaded: \(reloaded)"
        #expect(observed.sections.map(\.id) == new.sectionIdentifiers, comment)
        for section in observed.sections where section.id != other {
          #expect(section.model == (section.id == changed ? "new" : "old"), comment)
        }
        for (section, watch) in titles where new.containsSection(section.id) {
          #expect(watch.hasFired || section.id != changed, comment)
          let isTold = section.id == changed || reloaded.contains(section.id)
          #expect(isTold || !watch.hasFired, comment)
        }
        for (item, watch) in items {
          let folder = Folder(number: item / 10)
          let isTold = reloaded.contains(folder) || !new.containsSection(folder)
          #expect(watch.hasFired == isTold, "item \(item), \(comment)")
        }
      }
    }
  }

  @Test func `Items that are not in the list are not kept, and who waits for one is told`() throws {
    final class Name: Hashable, Sendable {
      let number: Int
      init(_ number: Int) { self.number = number }
      static func == (left: Name, right: Name) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let observed = ObservableList<Int, Name>()
    var batches = BatchSequence<Int, Name>()
    var list = Snapshot<Int, Name>()
    list.appendSections([0])
    observed.show(try batches.next(list))
    var names: [Weak<Name>] = []
    for number in 0..<2_000 {
      let name = Name(number)
      names.append(Weak(object: name))
      _ = observed.isUnconfirmed(name)
      guard number % 100 == 99 else { continue }
      try list.appendItems([Name(10_000 + number)])
      observed.show(try batches.next(list))
    }
    #expect(names.count { $0.object != nil } < 400)
    let awaited = Name(20_000)
    let watch = Watch { _ = observed.isUnconfirmed(awaited) }
    try list.appendItems([awaited])
    observed.show(try batches.next(list))
    #expect(watch.hasFired)
  }

  @Test func `A list of other models, or of none, answers with none`() async throws {
    let observed = ObservableList<Int, Int>()
    let source = DataSourceActor<Int, Int>()
    observed.start(following: source)
    await observed.displayed(try await source.apply(list([1])).revision)
    #expect(observed.model(for: 1, as: Note.self) == nil)
  }
}
