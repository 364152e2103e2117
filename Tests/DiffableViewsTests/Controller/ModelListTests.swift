import Diffable
import DiffableTesting
import DiffableViews
import Testing
import TestScope

/// The model of a row in these tests.
struct Note: Identifiable, Equatable {
  let id: Int
  var text = 0
}

/// A section with a model.
struct Folder: ModelledSection, Comparable {
  typealias SectionModel = String
  let number: Int

  static func < (left: Folder, right: Folder) -> Bool { left.number < right.number }
}

@Suite("A list shows the models of its source", .deadline)
@MainActor
struct ModelListTests {
  private typealias Notes = ModelSource<Folder, Note>
  private typealias Screen = ListController<Folder, Int, Host>

  private final class Cell: SimulatedView {
    var note: Note?
    var configurations = 0
  }

  private let cells = CellRegistration<Cell, Note> { cell, _, note in
    cell.note = note
    cell.configurations += 1
  }
  private let headers = SupplementaryRegistration<SimulatedView, String>(elementKind: "header") {
    view, _, title in
    view.text = title
  }

  private func controller<Source: ListSource<Folder, Int>>(
    of host: Host, _ source: Source
  ) -> Screen where Source.Element == Note {
    let controller = ListController(host: host, following: source) { [cells] dequeuer, path, note in
      try dequeuer.dequeueConfiguredReusableCell(using: cells, for: path, item: note)
    }
    controller.setSupplementaryProvider(ofKind: "header") { [headers] views, path, _, model in
      try views.dequeueConfiguredReusableSupplementary(
        using: headers, for: path, model: model ?? "none")
    }
    return controller
  }

  @Test func `Only the cell whose model changes is configured, and it stays`() async throws {
    let source = Notes()
    try await source.apply((1...5).map { Note(id: $0) }) { _ in Folder(number: 0) }
    let host = Host(profile: .collectionView)
    let controller = controller(of: host, source)
    await controller.displayed(source.revision)
    let before = host.visibleItemPaths.map { host.cell(at: $0) as? Cell }
    await controller.displayed(try await source.setModel(Note(id: 3, text: 7)).revision)
    let after = host.visibleItemPaths.map { host.cell(at: $0) as? Cell }
    #expect(zip(before, after).allSatisfy { $0 === $1 })
    #expect(after.map { $0?.configurations } == [1, 1, 2, 1, 1])
    #expect(after[2]?.note == Note(id: 3, text: 7))
    #expect(controller.model(for: 3, as: Note.self) == Note(id: 3, text: 7))
    let section = Folder(number: 0)
    await controller.displayed(try await source.setSectionModel("folder", for: section).revision)
    #expect(controller.sectionModel(for: section) == "folder")
  }

  @Test func `Rows are dragged, dropped, and put back by undo`() async throws {
    let source = Notes()
    try await source.apply((1...4).map { Note(id: $0, text: $0) }) { _ in Folder(number: 0) }
    let host = Host(profile: .collectionView)
    let controller = controller(of: host, source)
    await controller.displayed(source.revision)
    func shown() -> [Note?] { host.visibleItemPaths.map { (host.cell(at: $0) as? Cell)?.note } }
    func notes(_ ids: [Int]) -> [Note?] { ids.map { Note(id: $0, text: $0) } }
    #expect(try await controller.beginReorder([4]))
    try await controller.proposeReorder(to: .before(1))
    #expect(shown() == notes([4, 1, 2, 3]))
    try await source.setModel(Note(id: 2, text: 9))
    try await controller.commitReorder(named: "Move")
    #expect(shown().map(\.?.text) == [4, 1, 9, 3])
    #expect(source.nextUndo()?.name == "Move")
    await controller.displayed(try #require(try await source.undo()).target)
    #expect(shown().map(\.?.text) == [1, 9, 3, 4])
    #expect(host.violations.isEmpty && host.errors.isEmpty)
  }

  @Test func `Rows of models unfold, and load what is below them`() async throws {
    let source = ModelSource<Folder, Note>(childrenProvider: { note in
      try ModelOutline([Note(id: note.id * 10, text: note.text + 1)])
    })
    var outline = try Outline([1, 2])
    outline.setChildrenUnloaded(of: [1])
    var order = Snapshot<Folder, Int>()
    order.appendSections([Folder(number: 0)])
    try order.setOutline(outline, forSection: Folder(number: 0))
    try await source.apply(order, models: [Note(id: 1, text: 5), Note(id: 2)])
    let host = Host(profile: .tableView)
    let controller = controller(of: host, source)
    await controller.displayed(source.revision)
    try await controller.expandItem(1)
    await controller.displayed(source.revision)
    let shown = host.visibleItemPaths.map { (host.cell(at: $0) as? Cell)?.note }
    #expect(shown == [Note(id: 1, text: 5), Note(id: 10, text: 6), Note(id: 2)])
    try await controller.collapseItem(1)
    await controller.displayed(source.revision)
    #expect(host.visibleItemPaths.count == 2)
  }

  @Test func `Another kind of models leaves placeholders and tells so`() async throws {
    struct Other: Identifiable, Equatable {
      let id: Int
      var name = "name"
    }
    let (notes, others) = (Notes(), ModelSource<Folder, Other>())
    let host = Host(profile: .collectionView)
    let controller = controller(of: host, notes)
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    try await others.apply([Other(id: 1)]) { _ in Folder(number: 0) }
    controller.start(following: others)
    await controller.displayed(others.revision)
    #expect(errors == [.noModel(item: AnyItemID(1))])
    #expect(controller.model(for: 1, as: Note.self) == nil)
    #expect(controller.model(for: 1, as: Other.self) == Other(id: 1))
  }

  @Test func `A batch of models is shown like any other, wherever it comes from`() async throws {
    let (source, other) = (Notes(), Notes())
    let host = Host(profile: .collectionView)
    let controller = controller(of: host, source)
    let observed = ObservableList<Folder, Int>()
    var batches = other.updates().makeAsyncIterator()
    for text in 1...2 {
      try await other.apply([Note(id: 7, text: text), Note(id: 8)]) { _ in Folder(number: 0) }
      let batch = try #require(await batches.next())
      await controller.show(batch)
      observed.show(batch)
      let shown = host.visibleItemPaths.map { (host.cell(at: $0) as? Cell)?.note?.text }
      #expect(shown == [text, 0])
      #expect(observed.model(for: 7, as: Note.self)?.text == text)
    }
    #expect(host.violations.isEmpty && host.errors.isEmpty)
  }

  @Test func `A provider of identifiers follows identifiers in the same way`() async throws {
    let source = DataSourceActor<Int, Int>()
    let rows = Rows()
    let host = Host(profile: .collectionView)
    let controller = ListController(host: host, following: source) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: rows.plain, for: path, item: item)
    }
    try await source.apply(list([3, 1]))
    await controller.displayed(source.revision)
    #expect(host.texts == ["3", "1"])
  }
}
