"""Drawing boards: one picture model, several outputs."""
