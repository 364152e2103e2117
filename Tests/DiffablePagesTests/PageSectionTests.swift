import Testing

@testable import Diffable
@testable import DiffablePages

@Suite("The sections of a loader stand together, in their order, whatever becomes of them")
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
}
