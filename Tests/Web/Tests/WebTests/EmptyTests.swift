import Testing
@Suite struct EmptyTests { @Test func nothing() {} }
