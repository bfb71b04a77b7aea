"""Battle of LITS: rules, notation, exact search, reachability."""
