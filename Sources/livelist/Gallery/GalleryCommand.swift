import Diffable

/// `livelist gallery`: four writers, one data source, three types of cells, and a search.
struct GalleryCommand: ListCommand {
  static let nouns = (one: "exhibit", many: "exhibits")

  let options: WritingOptions
  let shown = GallerySource()

  func makeView() -> GalleryView { GalleryView(shown) }

  func show(_ batch: GalleryBatch, in view: GalleryView) async { await view.showNewest() }

  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    try await shown.writing(every: options.interval, body)
  }
}
