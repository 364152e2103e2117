/// developer.apple.com/documentation/uikit/uitableviewcell
@MainActor open class UITableViewCell: UIView {
  /// developer.apple.com/documentation/uikit/uitableviewcell/cellstyle
  public enum CellStyle: Int, Sendable {
    case `default` = 0
    case value1 = 1
    case value2 = 2
    case subtitle = 3
  }

  /// developer.apple.com/documentation/uikit/uitableviewcell/init(style:reuseidentifier:)
  public required init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
  }

  public required init(frame: CGRect) { super.init(frame: frame) }

  public required init?(coder: NSCoder) { return nil }

  /// developer.apple.com/documentation/uikit/uitableviewcell/reuseidentifier
  open private(set) var reuseIdentifier: String?

  /// developer.apple.com/documentation/uikit/uitableviewcell/indentationlevel
  open var indentationLevel = 0

  /// developer.apple.com/documentation/uikit/uitableviewcell/prepareforreuse()
  open func prepareForReuse() {}

  /// developer.apple.com/documentation/uikit/uitableviewcell/contentconfiguration-9ktox
  @preconcurrency public var contentConfiguration: (any UIContentConfiguration)?

  /// developer.apple.com/documentation/uikit/uitableviewcell/defaultcontentconfiguration()
  @preconcurrency public func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
}

/// developer.apple.com/documentation/uikit/uitableviewheaderfooterview
@MainActor open class UITableViewHeaderFooterView: UIView {
  /// developer.apple.com/documentation/uikit/uitableviewheaderfooterview/init(reuseidentifier:)
  public required init(reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
  }

  public required init(frame: CGRect) { super.init(frame: frame) }

  public required init?(coder: NSCoder) { return nil }

  /// developer.apple.com/documentation/uikit/uitableviewheaderfooterview/reuseidentifier
  open private(set) var reuseIdentifier: String?
}
