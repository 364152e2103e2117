import Diffable
import DiffableTerminal

/// What hangs where in the gallery.
enum GallerySection: Int, CaseIterable, ModelledSection {
  /// How many exhibits it has, also those that a search does not find.
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

/// Identifies an exhibit: three types of items in one list.
enum ExhibitID: Hashable, Sendable {
  case banner(Int)
  case photo(Int)
  case film(Int)
}

/// What a banner shows.
struct Banner: Equatable, Sendable {
  var headline: String
  var text: String
  var color: TextColor
}

/// What a photograph shows.
struct Photo: Equatable, Sendable {
  var place: String
  var sign: String
  var likes: Int
}

/// What a film shows.
struct Film: Equatable, Sendable {
  var title: String
  var seen: Int
  /// How many minutes it takes.
  var length: Int
}

/// An exhibit with what it shows: the model of one of three types.
struct Exhibit: Identifiable, Equatable, Sendable {
  enum Content: Equatable, Sendable {
    case banner(Banner)
    case photo(Photo)
    case film(Film)
  }

  let id: ExhibitID
  var content: Content

  /// What a search looks at.
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
typealias GallerySnapshot = Snapshot<GallerySection, ExhibitID>
