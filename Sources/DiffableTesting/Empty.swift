// The strict list simulator, generators and law checks.
