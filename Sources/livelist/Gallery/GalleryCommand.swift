import Diffable

/// `livelist gallery`: four writers, one data source, three types of cells, and a search.
struct GalleryCommand: ListCommand {
  let options: GalleryOptions
  private let source = GallerySource()

  init(options: GalleryOptions) {
    self.options = options
  }

  var frames: Int? { options.frames }

  func updates() -> AsyncStream<GalleryBatch> { source.updates() }

  func line(for batch: GalleryBatch) -> String {
    BatchLine.text(for: batch.update, one: "exhibit", many: "exhibits")
  }

  func makeView() -> GalleryView { GalleryView(source) }

  func show(_ batch: GalleryBatch, in view: GalleryView) async { await view.showNewest() }

  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    try await source.writing(every: options.interval, body)
  }
}
