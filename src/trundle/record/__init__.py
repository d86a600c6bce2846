"""Recordings: one HDF5 file per run, readable at any moment."""

from trundle.record.frames import Frame, FrameContacts
from trundle.record.reader import Recording, open_recording

__all__ = ["Frame", "FrameContacts", "Recording", "open_recording"]
