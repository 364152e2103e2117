import Diffable
import DiffableQueries
import DiffableTerminal

/// What a page shows of an exhibit.
struct GalleryCard: Identifiable, Codable, Equatable, Sendable {
  let id: ExhibitID
  var title: String
  var text: String?
  /// Red, green and blue of a banner.
  var color: [UInt8]?
  var sign: String?
  var likes: Int?
  /// The minutes of a film that have been seen, and all of them.
  var seen: Int?
  var length: Int?

  init(_ exhibit: Exhibit) {
    id = exhibit.id
    switch exhibit.content {
    case .banner(let banner):
      title = banner.headline
      text = banner.text
      if case .rgb(let red, let green, let blue) = banner.color { color = [red, green, blue] }
    case .photo(let photo):
      title = photo.place
      (sign, likes) = (photo.sign, photo.likes)
    case .film(let film):
      title = film.title
      (seen, length) = (film.seen, film.length)
    }
  }
}

extension ServedList {
  /// Banners, photographs and films, which four writers change.
  static func gallery(_ source: GallerySource) -> ServedList {
    ServedList("gallery", source) { search, exhibits in
      exhibits.found(by: search).map(id: 0, GalleryCard.init)
    }
  }
}

// On the way identifiers are text, which any language can compare.

extension ExhibitID: Codable {
  init(from decoder: any Decoder) throws {
    let parts = try decoder.singleValueContainer().decode(String.self).split(separator: "-")
    switch (parts.first, parts.last.flatMap { Int($0) }) {
    case ("banner", let number?): self = .banner(number)
    case ("photo", let number?): self = .photo(number)
    case ("film", let number?): self = .film(number)
    default:
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "This is no exhibit."))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .banner(let number): try container.encode("banner-\(number)")
    case .photo(let number): try container.encode("photo-\(number)")
    case .film(let number): try container.encode("film-\(number)")
    }
  }
}

extension GallerySection: Codable {
  init(from decoder: any Decoder) throws {
    let title = try decoder.singleValueContainer().decode(String.self)
    guard let section = GallerySection.allCases.first(where: { $0.title == title }) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "There is no such section."))
    }
    self = section
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(title)
  }
}
