// compiles
import Diffable
import DiffableTesting
import DiffableViews

nonisolated struct Photo: Identifiable, Equatable {
  let id: Int
  var album: String
  var title: String
}

final class PhotoCell {
  var title = ""
}

final class Gallery {
  typealias Host = SimulatorHost<SimulatedView, SimulatedView>

  let source = ModelSource<String, Photo>()
  let host = Host(profile: .collectionView, elementKinds: ["header"])
  let photos = CellRegistration<SimulatedView, Photo> { cell, _, photo in cell.text = photo.title }
  let titles = SupplementaryRegistration<SimulatedView, String>(elementKind: "header") {
    view, _, title in
    view.text = title
  }
  var selected: Set<Int> = []
  var failure: ListError?
  lazy var controller = ListController(host: host, following: source) {
    [photos] cells, path, photo in
    try cells.dequeueConfiguredReusableCell(using: photos, for: path, item: photo)
  }

  func open() {
    controller.supplementaryProviders["header"] = { [titles] views, path, album in
      try views.dequeueConfiguredReusableSupplementary(using: titles, for: path, model: album)
    }
    controller.selectionHandler = { [weak self] change in self?.selected = change.selected }
    controller.errorHandler = { [weak self] error in self?.failure = error }
    controller.displayHandler = { _ in self.selected.removeAll() }
    controller.prefetchHandler = { print($0) }
    controller.expansionHandler = { [source] item, isExpanded in
      try await source.setExpanded(isExpanded, of: item, named: "Fold")
    }
  }

  func show(_ photos: [Photo]) async throws {
    let revision = try await source.apply(photos, section: \.album).revision
    await controller.displayed(revision)
  }

  func drag(_ photo: Photo) async throws {
    guard try await controller.beginReorder([photo.id]) else { return }
    try await controller.proposeReorder(to: .end(of: "Trip"))
    try await controller.commitReorder()
  }
}
