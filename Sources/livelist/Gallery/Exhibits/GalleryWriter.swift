import Diffable

/// A writer that keeps changing the gallery.
///
/// Each writer knows only its own job, and edits the state that the others leave.
struct GalleryWriter<Generator: RandomNumberGenerator & Sendable>: Sendable {
  enum Job: CaseIterable, Sendable {
    /// Adds and removes photographs.
    case curator
    /// Moves photographs and films.
    case arranger
    /// Likes photographs and advances films.
    case visitor
    /// Adds and removes banners and films.
    case editor
  }

  let job: Job
  let source: GallerySource
  private var generator: Generator
  /// The number of the next exhibit; every writer has its own numbers, in steps of four.
  private var next: Int

  init(_ job: Job, source: GallerySource, generator: Generator) {
    self.job = job
    self.source = source
    self.generator = generator
    next = 100 + (Job.allCases.firstIndex(of: job) ?? 0)
  }

  /// Writes now and after each interval, until the task is cancelled.
  consuming func run(every interval: Duration) async throws -> Never {
    while true {
      try await Task.sleep(for: interval)
      try await write()
    }
  }

  /// Makes one change.
  mutating func write() async throws {
    next += Job.allCases.count
    let (job, next) = (job, next)
    let dice = (0..<4).map { _ in generator.next() }
    try await source.update { draft in
      var change = GalleryChange(dice: dice, next: next)
      switch job {
      case .curator: try change.curate(&draft)
      case .arranger: try change.arrange(&draft)
      case .visitor: change.visit(&draft)
      case .editor: try change.edit(&draft)
      }
    }
  }
}

extension GallerySource {
  /// Opens the gallery, and runs a writer for each job while a function runs.
  nonisolated func writing(
    every interval: Duration, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await update { draft in try GalleryCatalogue.opening(&draft) }
    let writers = GalleryWriter<SystemRandomNumberGenerator>.Job.allCases.map { job in
      GalleryWriter(job, source: self, generator: SystemRandomNumberGenerator())
    }
    let tasks = writers.map { writer in Task { try await writer.run(every: interval) } }
    defer { for task in tasks { task.cancel() } }
    try await body()
  }
}

/// One change of the gallery, determined by some arbitrary numbers.
struct GalleryChange {
  typealias Draft = ModelDraft<GallerySection, Exhibit>

  private static let photos = 9...18
  private static let films = 6...10
  private static let banners = 3...5

  var dice: [UInt64]
  /// The number of a new exhibit.
  let next: Int

  /// A number below a limit.
  private mutating func roll(_ limit: Int) -> Int {
    guard limit > 0, let number = dice.popLast() else { return 0 }
    return Int(number % UInt64(limit))
  }

  private mutating func any(of section: GallerySection, _ draft: Draft) -> ExhibitID? {
    let items = draft.snapshot.items(inSection: section)
    return items.isEmpty ? nil : Array(items)[roll(items.count)]
  }

  /// An exhibit that is not in the gallery yet, as long as the catalogue has one.
  private mutating func fresh(_ section: GallerySection, _ draft: Draft) -> Exhibit {
    let texts = Set(
      draft.snapshot.items(inSection: section).compactMap { draft.model(for: $0)?.text })
    let count = GalleryCatalogue.count(of: section)
    let first = roll(count)
    let candidates = (first..<first + count).lazy.map { [next] entry in
      GalleryCatalogue.exhibit(next, of: section, entry: entry)
    }
    return candidates.first { !texts.contains($0.text) }
      ?? GalleryCatalogue.exhibit(next, of: section, entry: first)
  }

  /// Adds an exhibit somewhere in a section, or removes one, within limits.
  private mutating func grow(
    _ section: GallerySection, within limits: ClosedRange<Int>, _ draft: inout Draft
  ) throws {
    let count = draft.snapshot.items(inSection: section).count
    let isGrowing = count <= limits.lowerBound || count < limits.upperBound && roll(2) == 0
    guard isGrowing else {
      if let item = any(of: section, draft) { draft.snapshot.deleteItems([item]) }
      return
    }
    let exhibit = fresh(section, draft)
    if let item = any(of: section, draft) {
      try draft.insertItems([exhibit], beforeItem: item)
    } else {
      try draft.appendItems([exhibit], toSection: section)
    }
  }

  mutating func curate(_ draft: inout Draft) throws {
    try grow(.photos, within: Self.photos, &draft)
  }

  mutating func arrange(_ draft: inout Draft) throws {
    let section: GallerySection = roll(3) == 0 ? .films : .photos
    guard let item = any(of: section, draft), let place = any(of: section, draft), item != place
    else { return }
    try draft.snapshot.moveItem(item, beforeItem: place)
  }

  mutating func visit(_ draft: inout Draft) {
    let section: GallerySection = roll(2) == 0 ? .films : .photos
    guard let item = any(of: section, draft), var exhibit = draft.model(for: item) else { return }
    switch exhibit.content {
    case .banner: return
    case .photo(var photo):
      photo.likes += 1
      exhibit.content = .photo(photo)
    case .film(var film):
      film.seen = (film.seen + max(1, film.length / 9)) % (film.length + 1)
      exhibit.content = .film(film)
    }
    draft.setModel(exhibit)
  }

  mutating func edit(_ draft: inout Draft) throws {
    if roll(3) == 0 {
      try grow(.banners, within: Self.banners, &draft)
    } else {
      try grow(.films, within: Self.films, &draft)
    }
  }
}
