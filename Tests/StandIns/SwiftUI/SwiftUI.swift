// Stands in for SwiftUI where there is none, so that the lists on pages of the documentation are compiled.
//
// It draws nothing. It declares what these lists use, as Apple's pages have it, by the rules of the module
// that stands in for UIKit. The bodies of views that Apple makes are `Never`.

/// developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
  /// developer.apple.com/documentation/swiftui/view/body-swift.associatedtype
  associatedtype Body: View
  /// developer.apple.com/documentation/swiftui/view/body-swift.property
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { self }
}

extension Optional: View where Wrapped: View {
  public var body: Never { unavailable() }
}

/// developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView: View {
  public var body: Never { unavailable() }
}

/// developer.apple.com/documentation/swiftui/text
public struct Text: View {
  /// developer.apple.com/documentation/swiftui/text/init(_:)-9d1g4
  public init<Content: StringProtocol>(_ content: Content) {}

  public var body: Never { unavailable() }
}

/// developer.apple.com/documentation/swiftui/section
public struct Section<Parent, Content, Footer> {
  /// developer.apple.com/documentation/swiftui/section/init(_:content:)
  public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Content)
  where Parent == Text, Footer == EmptyView, Content: View {}
}

extension Section: View where Parent: View, Content: View, Footer: View {
  public var body: Never { unavailable() }
}

/// developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  /// developer.apple.com/documentation/swiftui/foreach/init(_:id:content:)
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}

  /// developer.apple.com/documentation/swiftui/foreach/init(_:content:)
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {}
}

extension ForEach: View where Content: View {
  public var body: Never { unavailable() }
}

/// developer.apple.com/documentation/swiftui/list
@MainActor @preconcurrency public struct List<SelectionValue, Content>: View
where SelectionValue: Hashable, Content: View {
  /// developer.apple.com/documentation/swiftui/list/init(_:rowcontent:)
  public init<Data, RowContent>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  )
  where
    SelectionValue == Never, Content == ForEach<Data, Data.Element.ID, RowContent>,
    Data: RandomAccessCollection, RowContent: View, Data.Element: Identifiable
  {}

  public var body: Never { unavailable() }
}

/// developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder public struct ViewBuilder {
  /// developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// developer.apple.com/documentation/swiftui/viewbuilder/buildif(_:)
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

private func unavailable() -> Never { fatalError("SwiftUI asks its own views for no body") }
