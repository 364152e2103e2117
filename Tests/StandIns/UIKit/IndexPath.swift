extension IndexPath {
  /// developer.apple.com/documentation/foundation/indexpath/init(item:section:)
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// developer.apple.com/documentation/foundation/indexpath/init(row:section:)
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// developer.apple.com/documentation/foundation/indexpath/section
  public var section: Int { self[0] }

  /// developer.apple.com/documentation/foundation/indexpath/item
  public var item: Int { self[1] }

  /// developer.apple.com/documentation/foundation/indexpath/row
  public var row: Int { self[1] }
}
