"""Verifying a snapshot: each check as it ends, the first wrong thing, and the open store."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from store import Cancelled, Corrupt, Invalid, Scope, StoreError
from store.audit import sign
from store.audit import verify as verifier
from store.audit.compare import Relation, Side, compare
from store.audit.format import SIGNATURE
from store.audit.noted import Noted, read_noted
from store.audit.reading import read_manifest
from workbench.dialogs.snapshot_report import open_report
from workbench.dialogs.verify_snapshot_checks import ChecksList, FirstWrong
from workbench.dialogs.verify_snapshot_words import (
    message_words,
    note_words,
    place_words,
    state_word,
    title_words,
)
from workbench.messages import Message, Severity
from workbench.ops import ReadOp
from workbench.snapshots import dropped_file, package_of
from workbench.text import QT_TRANSLATE_NOOP, number, one_line, visible
from workbench.theme import set_icon, set_look
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.path_edit import PathEdit
from workbench.widgets.section_head import SectionHead
from workbench.widgets.verdict_band import VerdictBand
from workbench.widgets.work_dialog import WorkDialog
from workbench.widgets.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from pathlib import Path

    from store import Store
    from store.audit.compare import Comparison
    from store.audit.verify import Check, Verdict
    from workbench.ops import Work
    from workbench.session import Session
    from workbench.snapshots import Shelf

AREA: Final = "verify"
FAILED: Final = Message("verify.failed", Severity.ERROR, "{reason}")
STOPPED: Final = Message(
    "verify.stopped",
    Severity.INFO,
    QT_TRANSLATE_NOOP("Messages", "Stopped on request; it says nothing about the snapshot."),
)
SIZE: Final = QSize(780, 720)
TAKE_EVERY_MS: Final = 40
"""So often the checks that have ended are shown."""
_MARGIN_PX: Final = 24
_NAME_PX: Final = 128


@dataclass(frozen=True, slots=True)
class Signature:
    """What came of a signature.

    Attributes:
        fingerprint: of the key that made it; "" if it does not hold.
        is_expected: the key is the one that was kept elsewhere.
        problem: why it does not hold, as a sentence.
    """

    fingerprint: str = ""
    is_expected: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it.

    Attributes:
        comparison: with the open store, if that was asked for.
        not_compared: why there is none, though it was asked for.
        signature: what a signature in it proves; None where there is none, and none was expected.
        head_signature: what the one on the head that was kept proves; None where there is none.
    """

    verdict: Verdict
    signature: Signature | None = None
    head_signature: Signature | None = None
    comparison: Comparison | None = None
    not_compared: str = ""


class VerifyDialog(WorkDialog):
    """Verifies a snapshot from anywhere; nothing in it is run, nothing is unpacked."""

    stopped_message: ClassVar = STOPPED
    failed_message: ClassVar = FAILED
    stays_until_stopped: ClassVar = False

    def __init__(self, session: Session, shelf: Shelf, parent: QWidget | None = None) -> None:
        super().__init__(session, "snapshot.verify", parent)
        self.setWindowTitle(self.tr("Verify a snapshot"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self._shelf = shelf
        self._ended: deque[Check] = deque()
        self._lines: list[str] = []
        self._take_ended = QTimer(self, interval=TAKE_EVERY_MS)
        self._take_ended.timeout.connect(self._on_take_ended_timeout)
        self._make_fields()
        self._make_results()
        self._make_buttons()
        self._lay_out()
        session.opened.connect(self._say)
        session.closed.connect(self._say)
        self._say()
        self.file.setFocus()

    @classmethod
    def ask(
        cls,
        session: Session,
        shelf: Shelf,
        path: Path | None = None,
        *,
        kept: str = "",
        parent: QWidget | None = None,
    ) -> VerifyDialog:
        """Show the dialog, the one that is open already if there is, and verify a snapshot.

        Args:
            session: it may have a store open, or none.
            shelf: for copies of reports.
            path: what to verify at once; None lets a person choose.
            kept: head, digest and public key from outside the package, those there are.
            parent: the window.
        """
        shown = None if parent is None else parent.findChild(cls, "snapshot.verify")
        is_free = shown is not None and shown.isVisible() and not shown.work.is_working
        dialog = shown if shown is not None and is_free else cls(session, shelf, parent)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        if path is not None:
            dialog.file.set_path(str(path))
            dialog.kept.setText(kept)
            dialog.verify()
        return dialog

    # -- building -----------------------------------------------------------------------------

    def _make_fields(self) -> None:
        kinds = (self.tr("Snapshots (*.zip manifest.json)"), self.tr("All files (*)"))
        self.file = PathEdit(self.tr("Snapshot"), filters=";;".join(kinds))
        self.file.setObjectName("verify.file")
        self.file.line.setPlaceholderText(self.tr("Zip file or folder"))
        self.file.path_changed.connect(self._on_file_path_changed)
        self.file.line.textChanged.connect(self._say)
        self.kept = QLineEdit()
        self.kept.setObjectName("verify.kept")
        self.kept.setAccessibleName(self.tr("Head, digest or public key that you kept"))
        self.kept.setPlaceholderText(
            self.tr("A head or its whole line, a digest or a public key, if you kept one")
        )
        self.kept.textChanged.connect(self._say)
        self.against = QCheckBox(self.tr("Compare with the open store"))

    def _make_results(self) -> None:
        self.verdict, self.wrong, self.checks = VerdictBand(), FirstWrong(), ChecksList()
        self._checks_head = SectionHead(self.tr("Checks"))
        self._notes_head = SectionHead(self.tr("What this does not prove"))
        self._notes = WrappedLabel("secondary")
        self._signature, self._head_signature = VerdictBand(), VerdictBand()
        self._store_head = SectionHead(self.tr("Against the open store"))
        self._store_band = VerdictBand()
        self._store_facts = PairGrid(name_width=_NAME_PX)
        self.empty = EmptyState(
            "package-open",
            self.tr("Drop a snapshot here, or choose it above"),
            self.tr(
                "All digests are made again from its files, the rules of the ledger are looked "
                "at, and what the facts say is held against the record. Nothing in it is run."
            ),
        )
        self._results = QWidget()
        column = QVBoxLayout(self._results)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for widget in (
            self.verdict,
            self.wrong,
            self._signature,
            self._head_signature,
            self._store_head,
            self._store_band,
            self._store_facts,
            self._checks_head,
            self.checks,
            self._notes_head,
            self._notes,
        ):
            column.addWidget(widget)
        column.addStretch(1)
        self._results.hide()

    def _make_buttons(self) -> None:
        self.copy = self._button(self.tr("Copy result"), self._copy, icon_name="copy")
        self.report = self._button(
            self.tr("Open report"), self._open_report, icon_name="external-link"
        )
        self.close_button = self._button(self.tr("Close"), self.close)
        self.verify_button = QPushButton(self.tr("Verify"))
        set_icon(self.verify_button, "shield-check", "on_accent")
        set_look(self.verify_button, "primary")
        self.verify_button.setObjectName("verify")
        self.verify_button.setDefault(True)
        self.verify_button.clicked.connect(self.verify)

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(16)
        fields.setVerticalSpacing(8)
        fields.setColumnStretch(1, 1)
        rows = ((self.tr("Snapshot"), self.file), (self.tr("Kept elsewhere"), self.kept))
        for row, (words, field) in enumerate(rows):
            label = QLabel(words)
            label.setBuddy(field)
            set_look(label, "secondary")
            fields.addWidget(label, row, 0)
            fields.addWidget(field, row, 1)
        fields.addWidget(self.against, 2, 1)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(_MARGIN_PX, 16, _MARGIN_PX, 16)
        column.setSpacing(16)
        column.addLayout(fields)
        column.addWidget(self._results, 1)
        column.addWidget(self.empty, 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_look(area, "page")
        area.setWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(MessageBar(self._board))
        whole.addWidget(area, 1)
        whole.addWidget(self._foot())
        self.resize(SIZE)

    def _foot(self) -> QFrame:
        foot = QFrame()
        set_look(foot, "footer")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.copy)
        row.addWidget(self.report)
        self._problem = QLabel()
        self._problem.setWordWrap(True)
        self._problem.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._problem.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        set_look(self._problem, "secondary")
        row.addWidget(self._problem, 1)
        row.addSpacing(8)
        row.addWidget(self.close_button)
        row.addWidget(self.verify_button)
        column = QVBoxLayout(foot)
        column.setContentsMargins(_MARGIN_PX, 12, _MARGIN_PX, 12)
        column.setSpacing(10)
        column.addWidget(self.work)
        column.addLayout(row)
        return foot

    # -- what is shown ------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What was found, as lines of text."""
        return "\n".join(self._lines) + "\n"

    @Slot()
    def _say(self) -> None:
        """Enable what can be done now, and say what is missing."""
        problem, is_working = self._problem_now(), self.work.is_working
        self._mark_kept(is_wrong=self._noted() is None)
        self._problem.setText(problem if not is_working and self.file.path else "")
        self.verify_button.setEnabled(not problem and not is_working)
        can_compare = self._session.is_open and self._session.snapshot is None
        self.against.setVisible(can_compare)
        for field in (self.file, self.kept, self.against):
            field.setEnabled(not is_working)
        self.copy.setVisible(bool(self._lines) and not is_working)
        self.report.setVisible(not self._results.isHidden() and not is_working)

    def _mark_kept(self, *, is_wrong: bool) -> None:
        if bool(self.kept.property("invalid")) == is_wrong:
            return
        self.kept.setProperty("invalid", is_wrong)
        self.kept.style().unpolish(self.kept)
        self.kept.style().polish(self.kept)
        self.kept.setAccessibleDescription(self._problem_now() if is_wrong else "")

    def _noted(self) -> Noted | None:
        """Return what was kept elsewhere; None where that cannot be read."""
        typed = self.kept.text().strip()
        try:
            return read_noted(typed) if typed else Noted()
        except Invalid:
            return None

    def _problem_now(self) -> str:
        if self.file.path is None:
            return self.tr("Choose a snapshot.")
        if self._noted() is None:
            return self.tr(
                "A head is a number, a colon and 64 digits; a digest is 64 digits; a public key "
                "begins with ed25519."
            )
        return ""

    @Slot(str)
    def _on_file_path_changed(self, _path: str) -> None:
        self._board.clear()
        self._show_results(is_shown=False)
        self._say()

    def _show_results(self, *, is_shown: bool) -> None:
        self._lines = []
        self._results.setVisible(is_shown)
        self.empty.setVisible(not is_shown)
        for widget in (
            self.verdict,
            self.wrong,
            self._notes_head,
            self._notes,
            self._signature,
            self._head_signature,
            self._store_head,
            self._store_band,
            self._store_facts,
        ):
            widget.hide()
        self.checks.clear()

    # -- doing --------------------------------------------------------------------------------

    @Slot()
    def verify(self) -> None:
        """Verify the snapshot that is chosen."""
        path, noted = self.file.path, self._noted()
        if path is None or noted is None or self.work.is_working:
            return
        session = self._session
        is_compared = self.against.isChecked() and session.is_open and session.snapshot is None
        run = _Run(
            package_of(path),
            noted,
            self._ended,
            store=session.store if is_compared else None,
            tenant_id=session.scope.tenant_id if session.scope is not None else "",
            tenants=frozenset(tenant.tenant_id for tenant in session.tenants),
        )
        self._ended.clear()
        self._show_results(is_shown=True)
        ticket = session.operations.read(
            ReadOp((AREA,), run, self.tr("Verifying a snapshot"), is_long=True),
            on_done=self._on_verified,
            on_failed=self._on_work_failed,
            owner=self,
        )
        name = one_line(path.name, 60)
        self._follow(ticket, self.tr("Verifying {name}").format(name=name))
        self._take_ended.start()

    @Slot()
    def _on_take_ended_timeout(self) -> None:
        """Show the checks that have ended; they come from the thread that works."""
        while self._ended:
            check = self._ended.popleft()
            self.checks.add(check)
            self._lines.append(f"{title_words(check.title)}: {state_word(check.state)}")
            if check.message:
                place = place_words(check.place)
                self._lines.append(
                    "    " + message_words(check.message) + (f" ({place})" if place else "")
                )

    def _settle(self) -> None:
        self._take_ended.stop()
        self._on_take_ended_timeout()

    def _on_verified(self, outcome: Outcome) -> None:
        self._settle()
        self._show_verdict(outcome.verdict)
        self._show_signature(outcome)
        self._show_head_signature(outcome.head_signature)
        self._show_comparison(outcome)
        self._say()
        self.verify_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _on_work_failed(self, error: Exception) -> None:
        self._settle()
        if isinstance(error, Cancelled):
            self._show_results(is_shown=False)
        super()._on_work_failed(error)
        self.file.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_verdict(self, verdict: Verdict) -> None:
        wrong, noted = verdict.first_failure, self._noted() or Noted()
        self.wrong.setVisible(wrong is not None)
        self.verdict.setVisible(wrong is None)
        if wrong is not None:
            self.wrong.show_check(wrong)
            said = self.tr("The snapshot is not what it says: something was changed.")
        elif noted.manifest:
            said = self.tr(
                "Nothing is wrong. It is what it was when its digest was kept elsewhere."
            )
        elif noted.head:
            said = self.tr(
                "Nothing is wrong. The record is what it was when its head was kept elsewhere; "
                "of the reports in it a head says nothing."
            )
        else:
            said = self.tr(
                "Nothing is wrong. That nobody made it up as a whole is proved only by a head or "
                "a digest that was kept elsewhere."
            )
        self.verdict.say(Severity.DONE, said)
        notes = [note_words(note) for note in verdict.notes]
        for widget in (self._notes_head, self._notes):
            widget.setVisible(bool(notes))
        self._notes.set_text("\n\n".join(notes))
        head = [self.tr("Head: {head}").format(head=verdict.head)] if verdict.head else []
        self._lines = [visible(str(self.file.path)), said, *head, "", *self._lines, "", *notes]

    def _show_signature(self, outcome: Outcome) -> None:
        signature = outcome.signature
        self._signature.setVisible(signature is not None)
        if signature is None:
            return
        if signature.problem:
            severity, said = Severity.ERROR, visible(signature.problem)
        elif not outcome.verdict.is_good:
            severity = Severity.WARNING
            said = self.tr("The manifest is signed, but its files are not those that it names.")
        elif signature.is_expected:
            severity, said = Severity.DONE, self.tr("It is signed with the key that you kept.")
        else:
            severity = Severity.INFO
            said = self.tr(
                "It is signed with the key {key}. Whose key that is, it cannot prove itself."
            ).format(key=signature.fingerprint)
        self._say_signature(self._signature, severity, said)

    def _show_head_signature(self, signature: Signature | None) -> None:
        self._head_signature.setVisible(signature is not None)
        if signature is None:
            return
        if signature.problem:
            severity, said = Severity.ERROR, visible(signature.problem)
        elif signature.is_expected:
            severity = Severity.DONE
            said = self.tr("The head is signed with the key that you kept.")
        else:
            severity = Severity.INFO
            said = self.tr(
                "The head is signed with the key {key}. Whose key that is, it cannot prove itself."
            ).format(key=signature.fingerprint)
        self._say_signature(self._head_signature, severity, said)

    def _say_signature(self, band: VerdictBand, severity: Severity, said: str) -> None:
        if severity is Severity.ERROR:  # that nothing is wrong would not be true
            self.verdict.hide()
            self._lines = [line for line in self._lines if line != self.verdict.sentence]
        band.say(severity, said)
        self._lines += ["", said]

    def _show_comparison(self, outcome: Outcome) -> None:
        comparison = outcome.comparison
        is_asked = comparison is not None or bool(outcome.not_compared)
        self._store_head.setVisible(is_asked)
        self._store_band.setVisible(is_asked)
        self._store_facts.setVisible(comparison is not None)
        if comparison is None:
            if outcome.not_compared:
                self._store_band.say(Severity.WARNING, visible(outcome.not_compared))
            return
        severity, said = self._relation_words(comparison)
        if not outcome.verdict.is_good:
            # Digests that are only copied would make it look like the record of the store.
            severity = Severity.WARNING
            said = self.tr(
                "What it says differs from the open store in %n fact(s).", "", comparison.differing
            )
        self._store_band.say(severity, said)
        counts = comparison.counts
        grid = self._store_facts
        grid.clear()
        self._lines += ["", said]
        rows = (
            (self.tr("Same facts"), counts["same"]),
            (self.tr("Added since"), counts["added"]),
            (self.tr("Ended since"), counts["ended"]),
            (self.tr("Changed since"), counts["changed"]),
            (self.tr("Withdrawn since"), counts["withdrawn"]),
        )
        for name, count in rows:
            grid.add_text(name, number(count))
            self._lines.append(f"{name}: {number(count)}")

    def _relation_words(self, comparison: Comparison) -> tuple[Severity, str]:
        later = comparison.other.head.number - comparison.one.head.number
        match comparison.relation:
            case Relation.SAME:
                return Severity.DONE, self.tr("It is the whole record of the open store.")
            case Relation.ONE_IS_PREFIX:
                return Severity.DONE, self.tr(
                    "It is how the record of the open store began; %n transaction(s) came after.",
                    "",
                    later,
                )
            case Relation.OTHER_IS_PREFIX:
                return Severity.WARNING, self.tr(
                    "The open store ends %n transaction(s) before the snapshot.", "", -later
                )
            case Relation.PARTED:
                said = self.tr("The records part at transaction {number}.")
                at = comparison.parted_at or 0
                return Severity.ERROR, said.format(number=number(at))
            case _:
                return Severity.WARNING, self.tr("It is not the record of the open store.")

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)

    @Slot()
    def _open_report(self) -> None:
        if self.file.path is not None:
            open_report(
                self._session,
                self._shelf,
                package_of(self.file.path),
                owner=self,
                on_failed=lambda error: self._board.show(FAILED, reason=str(error)),
            )

    # -- events -------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event.mimeData()) is not None and not self.work.is_working:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped_file(event.mimeData())
        if path is not None and not self.work.is_working:
            event.acceptProposedAction()
            self.file.set_path(str(path))
            self.verify()


class _Run:
    """Verifies one snapshot, on a worker thread, and hands over each check as it ends."""

    def __init__(
        self,
        path: Path,
        noted: Noted,
        ended: deque[Check],
        *,
        store: Store | None,
        tenant_id: str,
        tenants: frozenset[str],
    ) -> None:
        self._path, self._noted, self._ended = path, noted, ended
        self._store, self._tenant_id, self._tenants = store, tenant_id, tenants

    def __call__(self, work: Work) -> Outcome:
        """Verify it, and compare it with the store if there is one."""
        try:
            verdict = verifier.verify(
                str(self._path),
                head=self._noted.head or None,
                manifest=self._noted.manifest or None,
                on_check=self._ended.append,
                progress=work.progress,
                is_cancelled=lambda: work.cancel.is_cancelled,
            )
        except verifier.Cancelled as error:
            raise Cancelled(str(error)) from error
        except verifier.Broken as error:
            raise Corrupt(f"{self._path.name} cannot be verified. {error}") from error
        work.cancel.check()
        outcome = Outcome(verdict, self._signature(), self._head_signature())
        if self._store is None:
            return outcome
        try:
            named = read_manifest(self._path).tenant_id
            scope = Scope(named if named in self._tenants else self._tenant_id)
            side = Side.of_snapshot(self._path, is_verified=True)
            sides = side, Side.of_store(self._store, scope)
            found = compare(*sides, progress=work.progress, cancel=work.cancel)
        except Cancelled:
            raise
        except StoreError as error:
            return replace(outcome, not_compared=str(error))
        return replace(outcome, comparison=found)

    def _signature(self) -> Signature | None:
        """Check the signature, if there is one or one is expected."""
        noted = self._noted
        try:
            key = sign.verify_snapshot(self._path, self._expected())
        except StoreError as error:
            # A key that was kept with a signed head is that head's.
            is_due = SIGNATURE in self._names() or (noted.key and not noted.signature)
            return Signature(problem=str(error)) if is_due else None
        return Signature(key.fingerprint, is_expected=bool(noted.key))

    def _head_signature(self) -> Signature | None:
        """Check the signature on the head that was kept, if it has one."""
        noted = self._noted
        if not noted.signature:
            return None
        try:
            head = noted.head_of(read_manifest(self._path).tenant_id)
            key = sign.verify_head(head, noted.signature, self._expected())
        except StoreError as error:
            return Signature(problem=str(error))
        return Signature(key.fingerprint, is_expected=bool(noted.key))

    def _expected(self) -> sign.PublicKey | None:
        return sign.public_key(self._noted.key) if self._noted.key else None

    def _names(self) -> tuple[str, ...]:
        with verifier.Package(self._path) as package:
            return package.names
