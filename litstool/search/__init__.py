"""Long work: clock, stop, progress, compiled code, results, tree search, many cores."""
