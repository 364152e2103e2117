/// Validates a description: throws at the first part that cannot be laid out.
///
/// It accepts what UIKit accepts: negative lengths (they count as 0), fractions above 1, unusual
/// edges.
enum LayoutValidator {
  /// Checks the environment of a layout.
  static func validate(_ environment: LayoutEnvironment) throws(LayoutError) {
    let part = LayoutPart(.environment)
    let size = environment.container.contentSize
    try finite(size.width, part.property("width"))
    try finite(size.height, part.property("height"))
    if size.width < 0 { throw LayoutError(.negative, at: part.property("width")) }
    if size.height < 0 { throw LayoutError(.negative, at: part.property("height")) }
    try finite(environment.scale, part.property("scale"))
    try finite(environment.safeArea, part.property("safeArea"))
    try finite(environment.layoutMargins, part.property("layoutMargins"))
    if let insets = environment.readableContentInsets {
      try finite(insets, part.property("readableContentInsets"))
    }
  }

  /// Checks the configuration of a layout.
  static func validate(_ configuration: LayoutConfiguration) throws(LayoutError) {
    let part = LayoutPart(.configuration)
    try finite(configuration.interSectionSpacing, part.property("interSectionSpacing"))
    try validate(configuration.boundarySupplementaryItems, part)
  }

  /// Checks the description of a section.
  static func validate(_ section: LayoutSection, _ part: LayoutPart) throws(LayoutError) {
    try finite(section.contentInsets, part.property("contentInsets"))
    try finite(section.interGroupSpacing, part.property("interGroupSpacing"))
    try validate(section.boundarySupplementaryItems, part)
    for item in section.decorationItems {
      let place = part.appending(.decorationItem(kind: item.elementKind))
      try finite(item.contentInsets, place.property("contentInsets"))
    }
    let boundaryKinds = Set(section.boundarySupplementaryItems.map(\.elementKind))
    switch section.content {
    case .waterfall(let waterfall):
      try validate(waterfall, part.appending(.waterfall))
    case .groups(let groups):
      if groups.isEmpty { throw LayoutError(.empty, at: part) }
      for (index, group) in groups.enumerated() {
        var described = 0
        try validate(
          group, depth: 1, taken: boundaryKinds, described: &described,
          part.appending(.group(index)))
      }
    }
  }

  private static func validate(
    _ waterfall: LayoutWaterfall, _ part: LayoutPart
  ) throws(LayoutError) {
    switch waterfall.lanes {
    case .count(let count) where count < 1:
      throw LayoutError(.countBelowOne(count), at: part.property("lanes"))
    case .count(let count) where count > LayoutError.maximumSlotCount:
      throw LayoutError(.tooManySlots, at: part.property("lanes"))
    case .minimumWidth(let width): try finite(width, part.property("lanes"))
    case .count: break
    }
    if case .estimated(let length) = waterfall.itemLength {
      try finite(length, part.property("itemLength"))
    }
    try finite(waterfall.laneSpacing, part.property("laneSpacing"))
    try finite(waterfall.itemSpacing, part.property("itemSpacing"))
  }
}
