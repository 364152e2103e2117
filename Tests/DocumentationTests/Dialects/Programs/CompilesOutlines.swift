// compiles
import Diffable

nonisolated struct File: Identifiable, Equatable {
  let id: String
  var isFolder = false
}

final class Disk {
  var folders: [String: [File]] = [:]

  func files(in folder: String) async throws -> [File] { folders[folder] ?? [] }
}

final class Browser {
  let disk = Disk()
  lazy var files = ModelSource<String, File>(
    options: SourceOptions(observer: { event in print(event) }),
    childrenProvider: { [disk] folder in
      try ModelOutline(await disk.files(in: folder.id)) { $0.isFolder }
    })
  lazy var names = DataSourceActor<String, String>(childrenProvider: { [disk] folder in
    try Outline(await disk.files(in: folder).map(\.id))
  })
  var failure: String?

  func expand(_ file: File) async {
    do {
      try await files.expandItem(file.id)
    } catch {
      failure = "\(error)"
    }
  }
}
