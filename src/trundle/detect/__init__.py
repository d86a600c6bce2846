"""Contact detection."""

from trundle.detect.contacts import Contacts, Detector

__all__ = ["Contacts", "Detector"]
