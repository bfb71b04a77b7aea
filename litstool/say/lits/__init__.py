"""Words, documents and listings that only Battle of LITS has: books, boards, their balance."""
