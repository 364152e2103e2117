import Testing
@Suite struct DatabaseTests { @Test func nothing() {} }
