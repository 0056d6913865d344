"""What can go wrong with a store, as one small tree.

    StoreError
     +-- Invalid        the request makes no sense or breaks a rule; nothing was written
     |    +-- Refused   an explicit act collides with what stands; names what is in the way
     |    +-- TooDeep   a value or metadata is nested deeper than the record keeps
     +-- NotFound       no such fact, episode, conflict, transaction or store
     +-- Stale          the record changed since it was looked at; look again
     +-- Cancelled      stopped on request; what was committed before stays
     +-- Unavailable    busy, locked, disk full, read-only, connection lost: try again or elsewhere
     |    +-- ReadOnly  the store is open for reading, or its file may not be written
     |    +-- Locked    another program holds the store, and did not let go in time
     +-- TooNew         the store was written by a newer version of the program
     +-- TooOld         the store needs a migration that could not be made
     +-- Unsupported    the backend lacks the capability; the sentence says why
     +-- Corrupt        the file is damaged, or not a store at all
          +-- NotAStore the file is no Memory Workbench store

Every message is one sentence or two for a person: what happened, where, what was kept, what to do.
Any other exception that leaves the package is a bug.
"""

from __future__ import annotations


class StoreError(Exception):
    """Something expected went wrong; the message is meant for a person."""


class Invalid(StoreError):
    """The request breaks a rule of the record; nothing was written."""


class Refused(Invalid):
    """An explicit act collides with what stands; the message names what is in the way."""


class TooDeep(Invalid):
    """A value or metadata is nested deeper than the record keeps."""


class NotFound(StoreError):
    """There is no such fact, episode, conflict, transaction or store in this scope."""


class Stale(StoreError):
    """The record changed since it was looked at; the message says what changed."""


class Cancelled(StoreError):
    """The work was stopped on request."""


class Unavailable(StoreError):
    """The store cannot be used at the moment: busy, locked, full or unreachable."""


class ReadOnly(Unavailable):
    """The store is open for reading only, or its file or folder may not be written."""


class Locked(Unavailable):
    """Another program holds the store, and did not let go of it in time."""


class TooNew(StoreError):
    """The store was written by a newer version of the program."""


class TooOld(StoreError):
    """The store has an older schema and could not be migrated."""


class Unsupported(StoreError):
    """The backend lacks this capability; nothing was done."""


class Corrupt(StoreError):
    """The store is damaged."""


class NotAStore(Corrupt):
    """The file exists and is not a Memory Workbench store."""
