"""Sentences of the store, said again in the language in force."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QTranslator

from workbench.words import Sentences


class Shouting(QTranslator):
    """Translates into capitals, all but the gaps."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context, source, _disambiguation=None, _n=-1) -> str:
        if context != "Test":
            return ""
        return "".join(
            part if at % 2 else part.upper()
            for at, part in enumerate(source.replace("}", "}{").split("{"))
        ).replace("tenant}", "{tenant}")


KNOWN = Sentences("Test", ("tenant {tenant} has a record.", "it is filtered.", "{tenant} too."))


def test_what_is_known_is_translated_and_its_gaps_are_shown(qapp: QCoreApplication) -> None:
    shouting = Shouting()
    QCoreApplication.installTranslator(shouting)
    try:
        assert KNOWN.say("it is filtered.") == "IT IS FILTERED."
        assert KNOWN.say("tenant a\u202eb has a record.") == "TENANT a⟨U+202E⟩b HAS A RECORD."
    finally:
        QCoreApplication.removeTranslator(shouting)


def test_what_is_not_known_stays_as_it_is_and_does_nothing() -> None:
    assert KNOWN.say("What is {this}\u202e?") == "What is {this}⟨U+202E⟩?"
    assert KNOWN.say("tenant {x} has a record.") == "tenant {x} has a record."
