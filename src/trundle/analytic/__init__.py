"""Closed forms and continuous-time references that simulations are judged by; numpy and scipy only."""
