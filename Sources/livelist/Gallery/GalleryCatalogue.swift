import Diffable
import DiffableTerminal

/// What can be exhibited; an exhibit's number says which of these it is.
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

  static func banner(_ number: Int) -> Exhibit {
    Exhibit(id: .banner(number), content: .banner(banners[number % banners.count]))
  }

  static func photo(_ number: Int, likes: Int = 0) -> Exhibit {
    let photo = photos[number % photos.count]
    return Exhibit(
      id: .photo(number),
      content: .photo(Photo(place: photo.place, sign: photo.sign, likes: likes)))
  }

  static func film(_ number: Int) -> Exhibit {
    let film = films[number % films.count]
    return Exhibit(
      id: .film(number),
      content: .film(Film(title: film.title, seen: 0, length: film.length)))
  }

  /// What hangs when the gallery opens.
  static func opening(_ draft: inout ModelDraft<GallerySection, Exhibit>) throws {
    draft.snapshot.appendSections(GallerySection.allCases)
    try draft.appendItems((0..<4).map { banner($0) }, toSection: .banners)
    try draft.appendItems((0..<12).map { photo($0, likes: $0 * 7 % 40) }, toSection: .photos)
    try draft.appendItems((0..<8).map { film($0) }, toSection: .films)
  }
}
