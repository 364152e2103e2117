/// developer.apple.com/documentation/uikit/uicollectionreusableview
@MainActor open class UICollectionReusableView: UIView {
  /// developer.apple.com/documentation/uikit/uicollectionreusableview/reuseidentifier
  open internal(set) var reuseIdentifier: String?
  var storeKey: String?

  /// developer.apple.com/documentation/uikit/uicollectionreusableview/prepareforreuse()
  open func prepareForReuse() {}

  /// developer.apple.com/documentation/uikit/uicollectionreusableview/apply(_:)
  open func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {}

  /// developer.apple.com/documentation/uikit/uicollectionreusableview/preferredlayoutattributesfitting(_:)
  open func preferredLayoutAttributesFitting(
    _ layoutAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutAttributes {
    layoutAttributes
  }
}

/// developer.apple.com/documentation/uikit/uicollectionviewcell
@MainActor open class UICollectionViewCell: UICollectionReusableView {
  /// developer.apple.com/documentation/uikit/uicollectionviewcell/contentview
  public let contentView = UIView(frame: .zero)

  /// developer.apple.com/documentation/uikit/uicollectionviewcell/isselected
  open var isSelected = false

  /// developer.apple.com/documentation/uikit/uicollectionviewcell/contentconfiguration-13e7k
  @preconcurrency public var contentConfiguration: (any UIContentConfiguration)?

  /// developer.apple.com/documentation/uikit/uicollectionviewcell/configurationstate-4269k
  open var configurationState: UICellConfigurationState { UICellConfigurationState() }

  /// developer.apple.com/documentation/uikit/uicollectionviewcell/setneedsupdateconfiguration()
  ///
  /// A real cell combines several requests into one update.
  open func setNeedsUpdateConfiguration() { shownState = configurationState }

  /// The state that the cell was updated for last.
  package private(set) var shownState = UICellConfigurationState()
}

/// developer.apple.com/documentation/uikit/uicollectionviewlistcell
@MainActor open class UICollectionViewListCell: UICollectionViewCell {
  /// developer.apple.com/documentation/uikit/uicollectionviewlistcell/defaultcontentconfiguration()
  @preconcurrency public func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }

  /// developer.apple.com/documentation/uikit/uicollectionviewlistcell/indentationlevel
  open var indentationLevel = 0

  /// developer.apple.com/documentation/uikit/uicollectionviewlistcell/accessories-8nui4
  @preconcurrency public var accessories: [UICellAccessory] = []
}

/// developer.apple.com/documentation/uikit/uicontentconfiguration-9eib5
public protocol UIContentConfiguration {}

/// developer.apple.com/documentation/uikit/uilistcontentconfiguration-swift.struct
public struct UIListContentConfiguration: UIContentConfiguration {
  /// developer.apple.com/documentation/uikit/uilistcontentconfiguration-swift.struct/text
  public var text: String?
  /// developer.apple.com/documentation/uikit/uilistcontentconfiguration-swift.struct/secondarytext
  public var secondaryText: String?

  init() {}
}
