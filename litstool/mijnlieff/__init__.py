"""Mijnlieff: the rules, the solver and the reach questions of the second game."""
