import Foundation

/// One worked case: a description, and the frames that UIKit gave for it.
struct LayoutCase: Decodable, Sendable, CustomStringConvertible {
  struct Container: Decodable, Sendable {
    let w: Double
    let h: Double
  }

  struct Query: Decodable, Sendable {
    let rect: [Double]
    let elements: [String]
  }

  struct Expected: Decodable, Sendable {
    let kind: String
    let category: String
    let section: Int
    let item: Place
    let frame: [Double]
    let zIndex: Int?
  }

  /// The index of an element: a number, or `"layout"`.
  enum Place: Decodable, Sendable {
    case index(Int)
    case layout

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let index = try? container.decode(Int.self) {
        self = .index(index)
      } else {
        self = .layout
      }
    }
  }

  struct Orthogonal: Decodable, Sendable {
    let section: Int
    let viewport: [Double]
    let contentLength: Double
    let maxOffset: Double
    let restOffsets: [Double]?
  }

  struct Rest: Decodable, Sendable {
    let setTo: Double
    let rest: [Double]
  }

  let name: String
  let container: Container
  let scale: Double
  let layout: LayoutCaseDescription
  let items: [Int]
  let queries: [Query]?
  let contentSize: [Double]?
  let expected: [Expected]
  let measured: [String: [Double]]?
  let layoutMargins: [Double]?
  let safeArea: [Double]?
  let contentOffset: [Double]?
  let orthogonal: [Orthogonal]?
  let restAfterSettingOffset: [Rest]?

  var description: String { name }

  /// Whether the frames were read off a picture, where they lie on whole pixels and have no z index.
  var isPicture: Bool { name.hasPrefix("snapshot-") }

  /// All listed cases.
  static let all: [LayoutCase] = {
    struct File: Decodable { let cases: [LayoutCase] }
    guard
      let url = Bundle.module.url(
        forResource: "layout", withExtension: "json", subdirectory: "Fixtures"),
      let data = try? Data(contentsOf: url),
      let file = try? JSONDecoder().decode(File.self, from: data)
    else { return [] }
    return file.cases
  }()
}
