import TestScope
import Testing

@testable import Diffable
@testable import DiffablePages

@Suite(
  "The sections of a loader stand together, in their order, whatever becomes of them", .deadline)
struct PageSectionTests {
  @Test("Of every choice of sections others delete every choice")
  func deleted() throws {
    for (before, after) in [("before", "after"), ("before", nil), (nil, "after")] {
      let own = [before, "rows", after].compactMap { $0 }
      let options = PageOptions(pageSize: 2)
      let writer = PageWriter<String, PagedRow, Int>(
        section: "rows", options: options,
        rows: PageLoaderRows(before: before, after: after) { load, state in
          state.isLoading ? PagedRow(id: -1) : nil
        },
        merging: nil)
      for left in 0..<1 << own.count {
        let present = own.indices.filter { left & 1 << $0 != 0 }.map { own[$0] }
        typealias List = Snapshot<String, Int>
        var live = LiveState<String, Int>(
          List.makeKernels(models: ElementKernel(models: PagedRow.self)))
        _ = try live.update(duplicates: .reject) { snapshot, given in
          try ModelBatch<String, PagedRow>._edit(&snapshot, &given, renamed: []) { draft in
            draft.snapshot.appendSections(["first"] + present + ["last"])
            try writer.write(PageLoadStates(), into: &draft) { _ in true }
          }
        }
        #expect(
          live.snapshot.sectionIdentifiers
            == (present.isEmpty ? ["first", "last"] + own : ["first"] + own + ["last"]),
          "\(present) of \(own)")
      }
    }
  }

  @Test("A status row that others have moved among the rows stays there, and loading goes on")
  func movedStatus() async throws {
    let source = PagedSource()
    let backend = PagedBackend(1...9)
    let loader = TestedLoader(
      source, section: "rows", options: PageOptions(pageSize: 2),
      rows: PageLoaderRows(before: "before") { load, state in
        load == .start ? PagedRow(id: -1, text: "\(state)") : nil
      }
    ) { request in backend.page(for: request) }
    #expect(await loader.refresh().isIdle)
    try await source.update { try $0.moveItem(-1, toSection: "rows") }
    #expect(await loader.load(.end).isIdle)
    #expect(await loader.refresh().isIdle)
    #expect(await source.snapshot.description == "before[] rows[1 2 -1 3 4]")
  }

  /// A loader that has the rows 4 to 6, and knows how many there are before and after them.
  private func middle(
    of source: PagedSource, _ desk: PageDesk, hasPlaceholders: Bool
  ) async throws -> TestedLoader {
    let loader = desk.loader(
      source, size: 3,
      rows: hasPlaceholders
        ? PageLoaderRows(placeholder: { PagedRow(id: 1000 + $0) }) : PageLoaderRows())
    async let first = loader.refresh()
    try await desk.answer { _ in
      Page((4...6).map { PagedRow(id: $0) }, previous: 4, next: 6, countBefore: 2, countAfter: 4)
    }
    _ = await first
    return loader
  }

  @Test(
    "Whatever tree others have made of the section, a page is below none of its rows",
    arguments: [false, true])
  func tree(hasPlaceholders: Bool) async throws {
    let (desk, source) = (PageDesk(), PagedSource())
    let loader = try await middle(of: source, desk, hasPlaceholders: hasPlaceholders)
    try await source.update { draft in
      var outline = try Outline(draft.snapshot.itemIdentifiers.filter { $0 != 4 && $0 != 6 })
      try outline.insert([4], after: 5)
      try outline.append([6], to: 4)
      outline.expand([4])
      try draft.snapshot.setOutline(outline, forSection: "rows")
    }
    try await desk.load(.end, loader, [7, 8], next: 8)
    try await desk.load(.start, loader, [2, 3])
    let outline = try #require(await source.snapshot.outline(ofSection: "rows"))
    let roots = [2, 3, 5, 4, 7, 8]
    #expect(outline.rootItems == (hasPlaceholders ? roots + [1007, 1008] : roots))
    #expect(outline.children(of: 4) == [6])
    #expect(await source.model(for: 8) != nil)
  }

  @Test func `Rows that come back around a row of others are roots there`() async throws {
    let (desk, source) = (PageDesk(), PagedSource())
    let loader = desk.loader(source, size: 3, limit: 8)
    try await desk.refresh(loader, 4...6, previous: 4, next: 6)
    try await desk.load(.end, loader, 7...9)
    try await source.update { draft in
      try draft.insertItems([PagedRow(id: 50)], beforeItem: 9)
    }
    try await desk.load(.start, loader, 1...3)
    #expect(await loader.rows == [1, 2, 3, 4, 5, 6, 50])
    // The row that is seen before the others' row is no root any more.
    try await source.update { draft in
      var outline = try Outline([1, 2, 3, 4, 5, 6, 50])
      try outline.append([60], to: 6)
      outline.expand([6])
      draft.setModel(PagedRow(id: 60))
      try draft.snapshot.setOutline(outline, forSection: "rows")
    }
    try await desk.load(.end, loader, 7...9)
    let outline = try #require(await source.snapshot.outline(ofSection: "rows"))
    #expect(outline.rootItems == [4, 5, 6, 7, 8, 50, 9])
    #expect(outline.children(of: 6) == [60])
  }

  @Test func `A row that others put below another one while pages are away is in no page's way`()
    async throws
  {
    let source = PagedSource()
    let loader = PagedBackend(1...60, cap: 5).loader(source, size: 5, limit: 12)
    _ = await (loader.refresh(), loader.load(.end))
    try await source.update { draft in
      try draft.insertItems([PagedRow(id: 998)], afterItem: 7)
      try draft.insertItems([PagedRow(id: 999)], afterItem: 8)
    }
    _ = await (loader.load(.end), loader.load(.end))
    #expect(await loader.rows == [998, 999] + Array(11...20))
    try await source.update { draft in
      var outline = try Outline([998] + Array(11...20))
      try outline.append([999], to: 998)
      outline.expand([998])
      try draft.snapshot.setOutline(outline, forSection: "rows")
    }
    await loader.load(.start)
    let outline = try #require(await source.snapshot.outline(ofSection: "rows"))
    #expect(outline.rootItems == [6, 7, 998] + Array(8...15))
    #expect(outline.children(of: 998) == [999])
  }

  @Test("Whatever hangs below a row that is dropped stays, at the nearest ancestor that stays")
  func lifted() async throws {
    let candidates = [5, 6, 7, 8, 50]
    for top in candidates {
      for middle in candidates where middle != top {
        for leaf in candidates where leaf != top && leaf != middle {
          try await lifted([top, middle, leaf], isExpanded: true)
          try await lifted([top, middle, leaf], isExpanded: false)
        }
      }
    }
  }

  @Test func `What hangs below a placeholder stays, also in another section`() async throws {
    let (desk, source) = (PageDesk(), PagedSource())
    let loader = try await middle(of: source, desk, hasPlaceholders: true)
    try await source.update { draft in
      draft.snapshot.appendSections(["tree"])
      try draft.moveItem(1006, toSection: "tree")
      var outline = try Outline([1006])
      try outline.append([50], to: 1006)
      draft.setModel(PagedRow(id: 50))
      try draft.snapshot.setOutline(outline, forSection: "tree")
    }
    try await desk.load(.end, loader, [7, 8], next: 8)
    #expect(await source.snapshot.itemIdentifiers(inSection: "tree") == [50])
  }

  /// Drops 7, 8 and 9, after others have put some rows below each other.
  private func lifted(_ chain: [Int], isExpanded: Bool) async throws {
    let (desk, source) = (PageDesk(), PagedSource())
    let loader = desk.loader(source, size: 3, limit: isExpanded ? 9 : 7)
    try await desk.refresh(loader, 4...6, previous: 4, next: 6)
    try await desk.load(.end, loader, 7...9)
    try await source.update { draft in
      draft.setModels([50, 60, 61].map { PagedRow(id: $0) })
      var outline = try Outline([4, 5, 6, 7, 8, 9, 50].filter { !chain.dropFirst().contains($0) })
      for (parent, child) in zip(chain, chain.dropFirst()) {
        try outline.append([child], to: parent)
      }
      try outline.append([60, 61], to: chain[chain.count - 1])
      if isExpanded { outline.expand(chain) }
      try draft.snapshot.setOutline(outline, forSection: "rows")
    }
    try await desk.load(.start, loader, 1...3)
    let outline = try #require(await source.snapshot.outline(ofSection: "rows"))
    #expect(outline.items.sorted() == [1, 2, 3, 4, 5, 6, 50, 60, 61], "\(chain)")
    let staying = chain.filter { !(7...9).contains($0) }
    #expect(outline.items.filter { $0 >= 60 } == [60, 61], "\(chain)")
    #expect([60, 61].allSatisfy { outline.parent(of: $0) == staying.last }, "\(chain)")
    for (index, row) in staying.enumerated() {
      #expect(outline.parent(of: row) == (index == 0 ? nil : staying[index - 1]), "\(chain)")
    }
  }
}
