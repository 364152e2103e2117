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
    try await source.update { draft in try GalleryCatalogue.opening(&draft) }
    let writers = GalleryWriter<SystemRandomNumberGenerator>.Job.allCases.map { job in
      GalleryWriter(job, source: source, generator: SystemRandomNumberGenerator())
    }
    let tasks = writers.map { [interval = options.interval] writer in
      Task { try await writer.run(every: interval) }
    }
    defer { for task in tasks { task.cancel() } }
    try await body()
  }
}
