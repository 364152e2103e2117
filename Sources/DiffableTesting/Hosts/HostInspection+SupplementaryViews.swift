import Diffable
import DiffableViews

/// The identity of a supplementary view: its section, whatever the index, and its number there.
struct SupplementaryPlace: Hashable {
  let kind: String
  let section: Int
  let number: Int
}

extension HostInspection {
  /// The visible supplementary views.
  func shownSupplementaryViews() -> [SupplementaryPlace: Host.SupplementaryView] {
    var views: [SupplementaryPlace: Host.SupplementaryView] = [:]
    for kind in content.elementKinds {
      for path in visibleSupplementaryViewPaths(ofKind: kind) {
        guard let section = snapshot.sectionIdentifier(at: path.section) else { continue }
        views[SupplementaryPlace(kind: kind, section: section, number: path.item)] =
          host.supplementaryView(ofKind: kind, at: path)
      }
    }
    return views
  }

  private func visibleSupplementaryViewPaths(ofKind kind: String) -> [ItemPath] {
    host.visibleSupplementaryViewPaths(
      ofKind: kind, inSections: RangeSet(0..<snapshot.numberOfSections))
  }

  /// The faults of supplementary views after a batch, given the views before it.
  func supplementaryViewFaults(
    _ batch: UpdateBatch<Int, Int>, isReset: Bool,
    shown before: [SupplementaryPlace: Host.SupplementaryView]
  ) -> [String] {
    var faults: [String] = []
    for kind in content.elementKinds {
      let paths = visibleSupplementaryViewPaths(ofKind: kind)
      if zip(paths, paths.dropFirst()).contains(where: >=) {
        faults.append("The paths of views of kind “\(kind)” do not ascend: \(paths).")
      }
      var places: [ObjectIdentifier: ItemPath] = [:]
      for path in paths {
        guard let view = host.supplementaryView(ofKind: kind, at: path) else {
          faults.append("There is no view of kind “\(kind)” at \(path).")
          continue
        }
        if let other = places.updateValue(path, forKey: ObjectIdentifier(view)), other != path {
          faults.append("The view of kind “\(kind)” at \(other) is also at \(path).")
        }
      }
    }
    let reconfigured = Set(
      batch.difference.sectionReconfigures.ranges.joined().compactMap(
        snapshot.sectionIdentifier(at:)))
    for (place, view) in shownSupplementaryViews() {
      let name = "The view \(place.number) of kind “\(place.kind)” in section \(place.section)"
      let given = content.givenViews[ObjectIdentifier(view)]?.place
      guard Self.hasSupplementaryViews(place.section) else {
        if given != nil || host.reuseIdentifier(ofSupplementaryView: view) != nil {
          faults.append("\(name) is missing, and the host shows no placeholder for it.")
        }
        continue
      }
      if given?.kind != place.kind || given?.section != place.section {
        faults.append("\(name) was given for \(given.map { "\($0)" } ?? "nothing").")
      }
      guard !isReset, reconfigured.contains(place.section), !content.askedPlaces.contains(place)
      else {
        continue
      }
      if let former = before[place], former !== view {
        faults.append("\(name) should have been updated in place, but was replaced.")
      }
      if content.configuredViews[ObjectIdentifier(view)] == nil {
        faults.append("\(name) was not updated.")
      }
    }
    return faults
  }
}
