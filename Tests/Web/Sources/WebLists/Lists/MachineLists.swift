import Diffable

/// The lists that the command serves.
package enum MachineLists {
  /// Lets writers write while something is done with the lists.
  ///
  /// - Parameters:
  ///   - rows: The length of the list that is only long.
  ///   - interval: How long each writer waits between two changes.
  ///   - path: The file that keeps the board; `nil` if it ends with the process.
  ///   - body: What is done.
  package static func writing(
    rows count: Int, every interval: Duration, board path: String? = nil,
    _ body: @escaping @Sendable ([ServedList]) async throws -> Void
  ) async throws {
    let (processes, gallery, rows) = (ProcessSource(), GallerySource(), RowSource())
    try await rows.fill(count)
    let board: ServedList =
      if let path {
        .board(try await KeptBoard.open(path) { try BoardSource.addSample(to: &$0) })
      } else {
        .board(try await BoardSource.sample())
      }
    let shuffling = Task {
      var generator = SystemRandomNumberGenerator()
      for next in (count + 1)... {
        try await Task.sleep(for: interval)
        try await rows.shuffle(next: next, using: &generator)
      }
    }
    defer { shuffling.cancel() }
    try await processes.writing(every: interval) {
      try await gallery.writing(every: interval) {
        try await body([.processes(processes), .gallery(gallery), .rows(rows), board])
      }
    }
  }
}
