import Diffable
import DiffableTerminal

/// The catalogue of possible exhibits; an exhibit's number determines its entry.
enum GalleryCatalogue {
  static let banners: [Banner] = [
    Banner(
      headline: "One source, many writers",
      text: "Four of them change this list, and none of their changes is lost.",
      color: .rgb(38, 70, 130)),
    Banner(
      headline: "Search while it changes",
      text: "Press / and type: the banners, the grid and the films are filtered together.",
      color: .rgb(112, 46, 98)),
    Banner(
      headline: "日本の写真",
      text: "Wide characters, cafe\u{301}s and emoji 🗼 keep their columns.",
      color: .rgb(140, 60, 40)),
    Banner(
      headline: "Pages by the arrow keys",
      text: "← and → turn the page; ↑ and ↓ lead to the other sections.",
      color: .rgb(30, 100, 85)),
    Banner(
      headline: "Only what differs is sent",
      text: "A minimal batch becomes a minimal repaint.",
      color: .rgb(95, 80, 30)),
  ]

  static let photos: [(place: String, sign: String)] = [
    ("Lisboa", "🚋"), ("東京", "🗼"), ("서울", "🏯"), ("Malmö", "🚲"), ("Kraków", "🐉"),
    ("Île de Ré", "⛵"), ("São Paulo", "🌆"), ("Αθήνα", "🏺"), ("Zürich", "⌚"), ("Reykjavík", "🌋"),
    ("香港", "🌃"), ("İstanbul", "🐈"), ("Oslo", "🎿"), ("Nairobi", "🦒"), ("Québec", "🍁"),
    ("Cusco", "🦙"), ("Venezia", "🎭"), ("Marrakech", "🐪"),
  ]

  static let films: [(title: String, length: Int)] = [
    ("Metropolis", 153), ("七人の侍", 207), ("Le Voyage dans la Lune", 14), ("Nosferatu", 94),
    ("The General", 79), ("기생충", 132), ("Sherlock Jr.", 45), ("Amélie", 122), ("Stalker", 162),
    ("東京物語", 136), ("Safety Last!", 73), ("Persona", 83),
  ]

  /// The entry of a section's catalogue as an exhibit with a number.
  static func exhibit(_ number: Int, of section: GallerySection, entry: Int) -> Exhibit {
    switch section {
    case .banners:
      return Exhibit(id: .banner(number), content: .banner(banners[entry % banners.count]))
    case .photos:
      let photo = photos[entry % photos.count]
      return Exhibit(
        id: .photo(number), content: .photo(Photo(place: photo.place, sign: photo.sign, likes: 0)))
    case .films:
      let film = films[entry % films.count]
      return Exhibit(
        id: .film(number), content: .film(Film(title: film.title, seen: 0, length: film.length)))
    }
  }

  /// The number of entries of a section's catalogue.
  static func count(of section: GallerySection) -> Int {
    switch section {
    case .banners: banners.count
    case .photos: photos.count
    case .films: films.count
    }
  }

  /// Adds the exhibits with which the gallery opens.
  static func opening(_ draft: inout ModelDraft<GallerySection, Exhibit>) throws {
    draft.snapshot.appendSections(GallerySection.allCases)
    for (section, count) in [(GallerySection.banners, 4), (.photos, 12), (.films, 8)] {
      try draft.appendItems(
        (0..<count).map { exhibit($0, of: section, entry: $0) }, toSection: section)
    }
  }
}
