/// developer.apple.com/documentation/uikit/uicellaccessory-swift.struct
@MainActor public struct UICellAccessory {
  /// developer.apple.com/documentation/uikit/uicellaccessory-swift.struct/actionhandler
  public typealias ActionHandler = () -> Void

  /// developer.apple.com/documentation/uikit/uicellaccessory-swift.struct/displayedstate
  public enum DisplayedState: Sendable {
    case always
    case whenEditing
    case whenNotEditing
  }

  /// developer.apple.com/documentation/uikit/uicellaccessory-swift.struct/layoutdimension
  public enum LayoutDimension: Sendable {
    case actual
    case standard
    case custom(CGFloat)
  }

  /// developer.apple.com/documentation/uikit/uicellaccessory-swift.struct/outlinedisclosureoptions
  public struct OutlineDisclosureOptions {
    /// developer.apple.com/documentation/uikit/uicellaccessory-swift.struct/outlinedisclosureoptions/style-swift.enum
    public enum Style: Sendable {
      case automatic
      case header
      case cell
    }

    /// developer.apple.com/documentation/uikit/uicellaccessory-swift.struct/outlinedisclosureoptions/style-swift.property
    public var style: UICellAccessory.OutlineDisclosureOptions.Style

    /// developer.apple.com/documentation/uikit/uicellaccessory-swift.struct/outlinedisclosureoptions/init(style:ishidden:reservedlayoutwidth:tintcolor:)
    public init(
      style: UICellAccessory.OutlineDisclosureOptions.Style? = nil, isHidden: Bool? = nil,
      reservedLayoutWidth: UICellAccessory.LayoutDimension? = nil, tintColor: UIColor? = nil
    ) {
      self.style = style ?? .automatic
    }
  }

  enum Kind {
    case outlineDisclosure(OutlineDisclosureOptions)
  }

  let kind: Kind
  let actionHandler: ActionHandler?

  /// developer.apple.com/documentation/uikit/uicellaccessory-swift.struct/outlinedisclosure(displayed:options:actionhandler:)
  public static func outlineDisclosure(
    displayed: UICellAccessory.DisplayedState = .always,
    options: UICellAccessory.OutlineDisclosureOptions = OutlineDisclosureOptions(),
    actionHandler: UICellAccessory.ActionHandler? = nil
  ) -> UICellAccessory {
    UICellAccessory(kind: .outlineDisclosure(options), actionHandler: actionHandler)
  }
}

/// developer.apple.com/documentation/uikit/uicolor
open class UIColor: NSObject {}

/// developer.apple.com/documentation/uikit/uicellconfigurationstate-swift.struct
@MainActor public struct UICellConfigurationState: Sendable {
  /// developer.apple.com/documentation/uikit/uicellconfigurationstate-swift.struct/isexpanded
  public var isExpanded = false

  init() {}
}
