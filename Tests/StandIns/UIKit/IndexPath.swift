extension IndexPath {
  /// developer.apple.com/documentation/foundation/indexpath/init(item:section:)-359jo
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// developer.apple.com/documentation/foundation/indexpath/init(row:section:)
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// developer.apple.com/documentation/foundation/indexpath/section-8h7wo
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// developer.apple.com/documentation/foundation/indexpath/item-8cp0y
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// developer.apple.com/documentation/foundation/indexpath/row
  public var row: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}
