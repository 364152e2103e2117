import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("Whatever a provider does, the list goes on", .deadline)
@MainActor
struct ProviderTests {
  struct Failure: Error, CustomStringConvertible {
    let description = "no photo"
  }

  final class Other: SimulatedView {}

  @Test("No cell, an error, and a cell of another type are placeholders that say why")
  func placeholders() async throws {
    let rows = Rows()
    // The host makes plain views only, so it has no `Other`.
    let host = Host(
      profile: .collectionView,
      makeView: {
        $0.viewType == Other.self ? SimulatedView() : ($0.viewType as? Rows.Cell.Type)?.init()
      },
      placeholder: { error in
        let view = SimulatedView()
        view.text = "placeholder: \(error)"
        return view
      },
      supplementaryPlaceholder: { _ in SimulatedView() })
    let others = CellRegistration<Other, Int> { _, _, _ in }
    final class Alien {}
    let aliens = CellRegistration<Alien, Int> { _, _, _ in }
    let controller = Controller(host: host) { cells, path, item in
      switch item {
      case 1: return nil
      case 2: throw Failure()
      case 3: return try cells.dequeueConfiguredReusableCell(using: others, for: path, item: item)
      case 4:
        _ = try cells.dequeueConfiguredReusableCell(using: aliens, for: path, item: item)
        return nil
      default:
        return try cells.dequeueConfiguredReusableCell(using: rows.plain, for: path, item: item)
      }
    }
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    var batches = Batches()
    await controller.show(try batches.next(list([0, 1, 2, 3, 4])))
    let expected: [ListError] = [
      .noCell(item: AnyItemID(1)),
      .providerFailed(identifier: AnyItemID(2), reason: "no photo"),
      .wrongView(expected: "Other", found: "SimulatedView"),
      .cannotMakeView(kind: aliens.kind.identifier),
    ]
    #expect(errors == expected)
    #expect(host.texts == ["0"] + expected.map { "placeholder: \($0)" })
    #expect(
      host.errors
        == Dictionary(
          uniqueKeysWithValues: expected.enumerated().map {
            (ItemPath(section: 0, item: $0 + 1), $1)
          }))
    #expect(controller.snapshot.numberOfItems == 5)
    // Placeholders move and go like cells.
    var new = batches.snapshot
    try new.moveItem(1, afterItem: 4)
    new.deleteItems([3])
    await controller.show(try batches.next(new))
    #expect(host.errors.keys.map(\.item).sorted() == [1, 2, 3])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("An unknown path, and supplementary views without a provider")
  func unknown() async throws {
    let host = Host(profile: .collectionView, elementKinds: ["header", "footer"])
    let controller = Rows().controller(of: host)
    var errors: [ListError] = []
    controller.errorHandler = { errors.append($0) }
    var batches = Batches()
    await controller.show(try batches.next(list([1])))
    #expect(errors == [.noSupplementaryView(kind: "footer", section: AnyItemID(0))])
    let nowhere = ItemPath(section: 0, item: 1)
    #expect(throws: ListError.unknownPath(nowhere)) { try controller.content.cell(for: nowhere) }
    let noSection = ItemPath(section: 1, item: 0)
    #expect(throws: ListError.unknownPath(noSection)) {
      try controller.content.supplementaryView(ofKind: "header", for: noSection)
    }
    #expect(errors.count == 3)
    #expect(controller.itemIdentifier(for: nowhere) == nil)
    #expect(controller.itemPath(for: 9) == nil)
    #expect(controller.sectionIdentifier(for: 1) == nil)
    #expect(controller.index(for: 9) == nil)
    #expect(controller.content.identity(ofItemAt: nowhere) == nil)
    #expect(controller.content.identity(ofSectionAt: 0) == AnyItemID(0))
  }

  @Test("A reconfigured item keeps its cell, and nothing is dequeued for it")
  func reconfiguring() async throws {
    var (host, controller, batches) = try await shownList([1, 2, 3], rows: 2)
    let cell = try #require(controller.cell(for: 2) as? Rows.Cell)
    var new = batches.snapshot
    try new.reconfigureItems([2, 3])
    await controller.show(try batches.next(new))
    #expect(controller.cell(for: 2) === cell)
    #expect(cell.configurations == 2)
    // Not on the screen, so it was not configured.
    #expect(controller.cell(for: 3) == nil)
    try new.reloadItems([2])
    await controller.show(try batches.next(new))
    #expect((controller.cell(for: 2) as? Rows.Cell)?.configurations != 2)
    #expect(host.texts == ["1", "2"])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("The header of a section takes a new model in its place, with and without rows")
  func reconfiguredHeaders() async throws {
    let host = Host(profile: .collectionView, elementKinds: ["header"])
    let rows = Rows()
    let controller = rows.controller(of: host)
    var batches = Batches()
    await controller.show(try batches.next(list([1], [], [2])))
    controller.supplementaryProviders["header"] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: rows.titles, for: path, model: "new \(section)")
    }
    var new = batches.snapshot
    try new.reconfigureSections([0, 1])
    await controller.show(try batches.next(new))
    let headers = (0..<3).map {
      host.supplementaryView(ofKind: "header", at: ItemPath(section: $0, item: 0))?.text
    }
    #expect(headers == ["new 0", "new 1", "section 2"])
  }

  @Test("Headers take a new model in their place")
  func headers() async throws {
    let host = Host(profile: .collectionView, elementKinds: ["header"])
    let rows = Rows()
    let controller = rows.controller(of: host)
    var batches = Batches()
    await controller.show(try batches.next(list([1], [2])))
    let path = ItemPath(section: 1, item: 0)
    let header = host.supplementaryView(ofKind: "header", at: path)
    controller.supplementaryProviders["header"] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: rows.titles, for: path, model: "new \(section)")
    }
    try controller.reconfigureSupplementaryViews(ofKind: "header", inSections: [1, 7])
    #expect(host.supplementaryView(ofKind: "header", at: path) === header)
    #expect(header?.text == "new 1")
    #expect(
      host.supplementaryView(ofKind: "header", at: ItemPath(section: 0, item: 0))?.text
        == "section 0")
    let titles = SupplementaryRegistration<SimulatedView, String>(elementKind: "header") {
      view, _, title in
      view.text = title
    }
    controller.supplementaryProviders["header"] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: "x")
    }
    #expect(
      throws: ListError.wrongView(
        expected: titles.kind.identifier, found: rows.titles.kind.identifier)
    ) {
      try controller.reconfigureSupplementaryViews(ofKind: "header", inSections: [0])
    }
  }

  @Test("Headers and footers of a section that is reconfigured stay", arguments: everyProfile)
  func reconfiguredSections(profile: ListProfile) async throws {
    let host = Host(profile: profile, elementKinds: ["footer", "header"])
    let rows = Rows()
    let controller = rows.controller(of: host)
    var asked: [String] = []
    for kind in host.elementKinds {
      controller.supplementaryProviders[kind] = { views, path, section in
        asked.append("\(kind) \(section)")
        return try views.dequeueConfiguredReusableSupplementary(
          using: rows.titles, for: path, model: "\(kind) \(asked.count)")
      }
    }
    var batches = Batches()
    await controller.show(try batches.next(list([1], [2])))
    let path = ItemPath(section: 1, item: 0)
    let views = host.elementKinds.map { host.supplementaryView(ofKind: $0, at: path) }
    let cell = try #require(controller.cell(for: 2) as? Rows.Cell)
    asked = []
    var new = batches.snapshot
    try new.reconfigureSections([1])
    await controller.show(try batches.next(new))
    #expect(asked == ["footer 1", "header 1"])
    #expect(views.map { $0?.text } == ["footer 1", "header 2"])
    #expect(host.supplementaryView(ofKind: "footer", at: path) === views[0])
    #expect(host.supplementaryView(ofKind: "header", at: path) === views[1])
    #expect(controller.cell(for: 2) === cell)
    #expect(cell.configurations == 1)
    #expect(host.resetCount == 2)
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("A section whose provider wants another header is reloaded, with its items only once")
  func anotherHeader() async throws {
    for profile in everyProfile {
      let host = Host(profile: profile, elementKinds: ["header"])
      let rows = Rows()
      let choice = Choice()
      let controller = rows.controller(of: host)
      controller.supplementaryProviders["header"] = { views, path, section in
        try views.dequeueConfiguredReusableSupplementary(
          using: choice.isMade && section == 1 ? rows.banners : rows.titles, for: path,
          model: "\(section)")
      }
      var batches = Batches()
      await controller.show(try batches.next(list([1], [2, 3])))
      let stays = controller.cell(for: 1)
      choice.isMade = true
      var new = batches.snapshot
      try new.reconfigureSections([0, 1])
      try new.reconfigureItems([1, 2])
      try new.reloadItems([3])
      await controller.show(try batches.next(new))
      func header(_ section: Int) -> String? {
        host.supplementaryView(ofKind: "header", at: ItemPath(section: section, item: 0))?.text
      }
      #expect([header(0), header(1)] == ["0", "banner: 1"], "\(profile)")
      #expect(controller.cell(for: 1) === stays, "\(profile)")
      #expect(host.texts == ["1", "2", "3"], "\(profile)")
      #expect(host.resetCount == 2, "\(profile)")
      #expect(host.violations.isEmpty, "\(profile): \(host.violations)")
    }
  }

  @Test("A row that is reconfigured in a section that is reloaded for its header is asked for once")
  func reconfiguredInReload() async throws {
    let host = Host(profile: .collectionView, elementKinds: ["header"])
    let (rows, choice) = (Rows(), Choice())
    var asked: [Int] = []
    let controller = Controller(host: host) { cells, path, item in
      asked.append(item)
      return try cells.dequeueConfiguredReusableCell(using: rows.plain, for: path, item: item)
    }
    controller.supplementaryProviders["header"] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: choice.isMade && section == 1 ? rows.banners : rows.titles, for: path,
        model: "\(section)")
    }
    var batches = Batches()
    await controller.show(try batches.next(list([1], [2, 3])))
    (asked, choice.isMade) = ([], true)
    var new = batches.snapshot
    try new.reconfigureSections([1])
    try new.reconfigureItems([1, 2])
    await controller.show(try batches.next(new))
    #expect(asked.sorted() == [1, 2, 3])
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test("Cells are used again, and made by their registration where it says how")
  func reuse() async throws {
    final class Special: SimulatedView {
      var isMadeByRegistration = false
    }
    let specials = CellRegistration<Special, Int>(
      make: {
        let cell = Special()
        cell.isMadeByRegistration = true
        return cell
      }, configure: { cell, _, item in cell.text = "\(item)" })
    let host = Host(profile: .collectionView, visibleRowCount: 3)
    let controller = Controller(host: host) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: specials, for: path, item: item)
    }
    var batches = Batches()
    await controller.show(try batches.next(list(Array(0..<100))))
    var seen: Set<ObjectIdentifier> = []
    for row in 0..<97 {
      host.scroll(toRow: row)
      #expect(host.texts == (row..<row + 3).map(String.init))
      for path in host.visibleItemPaths {
        let cell = try #require(host.cell(at: path) as? Special)
        #expect(cell.isMadeByRegistration)
        seen.insert(ObjectIdentifier(cell))
      }
    }
    #expect(seen.count == 3)
  }
}
