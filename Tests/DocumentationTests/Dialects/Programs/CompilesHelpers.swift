// compiles
import Diffable
import DiffableQueries

nonisolated func isLong(_ name: String) -> Bool { name.count > 10 }

nonisolated extension String {
  var isShort: Bool { count < 5 }
}

nonisolated enum Size: Int, Comparable {
  case short, medium, long

  init(_ name: String) { self = name.isShort ? .short : isLong(name) ? .long : .medium }

  static func < (first: Size, second: Size) -> Bool { first.rawValue < second.rawValue }
}

final class Sheet {
  nonisolated enum Row: Hashable { case name(String), footer }

  let rows = DataSourceActor<Size, Row>()
  let names = DataSourceActor<String, String>()

  func bySize() -> some ListSource<Size, String> {
    names.derived { $0.filter { !isLong($0) }.grouped(by: Size.init, order: <) }
  }

  func show(_ lists: AsyncStream<Snapshot<Size, Row>>) async throws {
    try await rows.follow(lists)
  }
}
