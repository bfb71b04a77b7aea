"""Commands that only Battle of LITS has."""
