import Diffable
import DiffableQueries
import DiffableTerminal

/// A section of the gallery.
enum GallerySection: Int, CaseIterable, ModelledSection {
  /// The number of all its exhibits, including those that a search does not find.
  typealias SectionModel = Int

  case banners
  case photos
  case films

  var title: String {
    switch self {
    case .banners: "Today"
    case .photos: "Photographs"
    case .films: "Now showing"
    }
  }
}

/// The identifier of an exhibit: there are three types of items in one list.
enum ExhibitID: Hashable, Sendable {
  case banner(Int)
  case photo(Int)
  case film(Int)
}

/// The model of a banner.
struct Banner: Equatable, Sendable {
  var headline: String
  var text: String
  var color: TextColor
}

/// The model of a photograph.
struct Photo: Equatable, Sendable {
  var place: String
  var sign: String
  var likes: Int
}

/// The model of a film.
struct Film: Equatable, Sendable {
  var title: String
  var seen: Int
  /// The length in minutes.
  var length: Int
}

/// An exhibit with its model, which has one of three types.
struct Exhibit: Identifiable, Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case banner(Banner)
    case photo(Photo)
    case film(Film)
  }

  let id: ExhibitID
  var content: Content

  /// The text that a search looks at.
  var text: String {
    switch content {
    case .banner(let banner): banner.headline + " " + banner.text
    case .photo(let photo): photo.place + " " + photo.sign
    case .film(let film): film.title
    }
  }
}

typealias GallerySource = ModelSource<GallerySection, Exhibit>
typealias GalleryBatch = ModelBatch<GallerySection, Exhibit>
/// The exhibits that a search finds.
typealias FoundGallery = DerivedSource<GalleryBatch, GalleryBatch>
typealias GalleryQuery = ListQuery<GalleryBatch, GalleryBatch>

extension GalleryQuery {
  /// All sections with what a search finds, each with the number of all its exhibits.
  func found(by search: SearchQuery) -> GalleryQuery {
    sectionModels(id: 0) { _, count in count }.filter(id: search) { search.matches($0.text) }
  }
}
