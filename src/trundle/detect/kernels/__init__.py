"""Compiled code on flat arrays: no objects, no exceptions."""
