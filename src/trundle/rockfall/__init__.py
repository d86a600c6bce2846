"""Rockfall: many blocks, one after the other, on one terrain."""
