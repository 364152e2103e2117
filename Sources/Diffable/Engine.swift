// What users name of the engine, such as paths and differences, belongs to this module for them.
@_exported public import DiffableEngine
