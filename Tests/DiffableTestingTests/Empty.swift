import Testing

@testable import Diffable

@Suite struct Empty {}
