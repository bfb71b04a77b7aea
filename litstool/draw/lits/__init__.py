"""Pictures that only Battle of LITS has: swap books, the balance of boards."""
