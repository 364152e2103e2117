// compiles
import Diffable
import DiffableQueries

nonisolated struct Song: Identifiable, Equatable {
  let id: Int
  var title: String
  var artist: String
  var plays: Int

  static func isMorePopular(_ first: Song, _ second: Song) -> Bool { first.plays > second.plays }
}

nonisolated struct Year: Hashable, Comparable {
  let number: Int

  static func < (first: Year, second: Year) -> Bool { first.number < second.number }
}

nonisolated struct Artist: ModelledSection {
  typealias SectionModel = Int
  let name: String
}

final class Player {
  let songs = ModelSource<String, Song>()
  lazy var byArtist = songs.derived {
    $0.filter { $0.plays > 0 }.sorted(by: Song.isMorePopular)
      .grouped(by: { Artist(name: $0.artist) }, order: { $0.name < $1.name })
      .sectionModels { _, count in count }
  }
  lazy var byYear = songs.derived {
    $0.sorted(by: \.title, reverse: true).grouped(by: { Year(number: $0.plays) }, order: >)
  }
  lazy var years = DataSourceActor<String, Year>().derived {
    $0.sorted(by: >).grouped(by: { $0 }, order: <)
  }
  lazy var found = songs.derived { $0.filter { _ in true } }
  var search = ""

  func find() async throws {
    let search = search
    try await found.setQuery { $0.filter(id: search) { $0.title.contains(search) }.prefix(50) }
    print(await found.snapshot.numberOfItems)
  }

  func show() async {
    for await batch in byArtist.updates() { print(batch.sectionModels.count) }
  }

  func everything(with others: ModelSource<String, Song>) -> some ListSource<String, Int> {
    songs.merged(with: others)
  }
}
