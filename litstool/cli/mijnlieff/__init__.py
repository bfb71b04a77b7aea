"""Commands that only Mijnlieff has."""
