"""Decide how urgent a message is: the maximum of all layers, with failures counted as caution."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from safety.background_classifier import BackgroundClassifier, TextClassifier
from safety.classifier import load_classifier, only_suspected
from safety.concern import load_concern
from safety.head_file import SentenceEncoder
from safety.levels import (
    SPARE_CLASSIFIER,
    RiskAssessment,
    RiskCategory,
    RiskLevel,
    RiskMatch,
    SessionRisk,
)
from safety.lexicon import Lexicon, load_real_words
from safety.normalize import NormalizedText, Normalizer
from safety.other_languages import OtherLanguages
from safety.own_age import says_minor
from safety.pieces import run_before, with_run
from safety.rule_book import load_combinations, load_rule_book, prior_signal
from safety.rules import Findings, RuleEngine
from safety.session_risk import is_just_at_risk, update
from safety.spelling_tables import RULES_FOLDER, load_spelling_tables
from safety.titles import Titles
from safety.word_floor import floor_matches

_LOG = logging.getLogger(__name__)
_BOOKS = ("en", "zh", "answers")
_SILENT = Findings((), frozenset(), 0.0)


class RiskAssessor:
    """Combines normalizer, rules, classifier, session and a floor of plain words; never raises.

    Example:
        >>> assessor = load_assessor()
        >>> assessor.assess("I don\u2019t want to be here anymore", SessionRisk()).level
        <RiskLevel.MODERATE: 2>
    """

    def __init__(
        self,
        normalizer: Normalizer,
        engine: RuleEngine,
        classifier: TextClassifier | None = None,
        others: OtherLanguages | None = None,
    ) -> None:
        self._normalizer = normalizer
        self._engine = engine
        self._classifier = classifier
        self._concern = load_concern()
        self._others = others
        self._titles = Titles()

    def start(self) -> None:
        """Begin to load what is loaded in the background; returns at once."""
        if isinstance(self._classifier, BackgroundClassifier):
            self._classifier.start()

    def classifier_status(self) -> str:
        """``off``, or as :meth:`safety.background_classifier.BackgroundClassifier.status`; for admins."""
        if self._classifier is None:
            return "off"
        return self._classifier.status() if isinstance(self._classifier, BackgroundClassifier) else "ready"

    def normalize(self, text: str) -> NormalizedText:
        """Fold ``text`` as every layer reads it."""
        return self._normalizer.normalize(text)

    def assess(
        self, text: str, session: SessionRisk, *, country: str | None = None, lately: Sequence[str] = ()
    ) -> RiskAssessment:
        """Assess one message in its conversation.

        Args:
            text: The message as written; all of it is read.
            session: The conversation's risk before this message.
            country: Reserved for rules that depend on the country; unused by now.
            lately: What the person wrote right before, oldest first; a short message is read with the short
                ones before it, see :mod:`safety.pieces`.

        Returns:
            The assessment. A layer that fails is named in ``failed_layers``, and the level is then at least
            ``low``; the floor of plain words still works. The classifier's second member is named there, too,
            but nothing else follows: the first one works alone.
        """
        del country
        failed: list[str] = []
        before = run_before(lately, text)
        whole = self._normalized(with_run(before, text), failed) if before else None
        normalized = self._normalized(text, failed)
        spoken = self._without_titles(text, failed)
        findings = self._findings(
            normalized if spoken == text else self._normalized(spoken, failed), session, failed
        )
        matches = [
            *findings.matches,
            *self._in_other_languages(spoken, failed),
            *self._told_in_pieces(before, whole, len(text), session, failed),
            *self._classified_with(whole, self._classified(normalized, findings, failed), failed),
        ]
        matches.sort(key=lambda match: (-match.level, match.layer != "rules"))
        matches = self._settled(matches, normalized, failed)
        if failed:
            matches += floor_matches(text)
            matches.append(RiskMatch(RiskLevel.LOW, RiskCategory.NONE, "failure", failed[0], 0, 0))
            matches.sort(key=lambda m: -m.level)
        after = self._session_after(session, matches, findings, failed, normalized)
        return _verdict(matches, after, tuple(failed), self._spare_failures())

    def _spare_failures(self) -> tuple[str, ...]:
        """What failed without a need for caution, because the rest of its layer did the work."""
        whole = self._classifier is None or self._classifier.is_whole
        return () if whole else (SPARE_CLASSIFIER,)

    def _normalized(self, text: str, failed: list[str]) -> NormalizedText:
        try:
            return self._normalizer.normalize(text)
        except Exception as error:  # a broken table must not hide a crisis
            _note_failure("normalize", error, failed)
            places = range(len(text))
            return NormalizedText(
                text.lower() if len(text.lower()) == len(text) else text,
                tuple(places),
                tuple(i + 1 for i in places),
            )

    def _without_titles(self, text: str, failed: list[str]) -> str:
        """What rules read: the title of a film says nothing about whoever has seen it."""
        try:
            return self._titles.without(text)
        except Exception as error:
            _note_failure("rules", error, failed)
            return text

    def _findings(self, text: NormalizedText, session: SessionRisk, failed: list[str]) -> Findings:
        try:
            return self._engine.find(text, _earlier_signals(session))
        except Exception as error:
            _note_failure("rules", error, failed)
            return _SILENT

    def _in_other_languages(self, text: str, failed: list[str]) -> tuple[RiskMatch, ...]:
        if self._others is None:
            return ()
        try:
            return self._others.find(text)
        except Exception as error:
            _note_failure("rules", error, failed)
            return ()

    def _classified(self, text: NormalizedText, findings: Findings, failed: list[str]) -> list[RiskMatch]:
        if self._classifier is None:
            return []
        try:
            found = self._classifier.find(self._concern.in_plain_words(text), findings.suspicion)
            if not self._concern.says_it_all(text):
                return found
            return [replace(match, level=min(match.level, RiskLevel.LOW)) for match in found]
        except Exception as error:
            _note_failure("classifier", error, failed)
            return []

    def _told_in_pieces(
        self, before: str, whole: NormalizedText | None, length: int, session: SessionRisk, failed: list[str]
    ) -> list[RiskMatch]:
        """What rules find in a run of short messages only since its last one, to which it belongs."""
        if whole is None:
            return []
        told = self._findings(self._normalized(before, failed), session, failed).matches
        known = {match.rule for match in told}
        read = self._settled(list(self._findings(whole, session, failed).matches), whole, failed)
        new = (match for match in read if match.rule not in known and match.level >= RiskLevel.MODERATE)
        return [replace(match, start=0, end=length) for match in new]

    def _classified_with(
        self, whole: NormalizedText | None, found: list[RiskMatch], failed: list[str]
    ) -> list[RiskMatch]:
        """What the classifier finds in a short message, as far as it still does in the run it ends."""
        if whole is None or not found:
            return found
        again = self._classified(whole, _SILENT, failed)
        most = max((match.level for match in again), default=RiskLevel.NONE)
        lowered = (replace(match, level=min(match.level, most)) for match in found)
        return [match for match in lowered if match.level > RiskLevel.NONE]

    def _settled(self, matches: list[RiskMatch], text: NormalizedText, failed: list[str]) -> list[RiskMatch]:
        try:
            return self._concern.settle(matches, text)
        except Exception as error:
            _note_failure("concern", error, failed)
            return matches

    def _session_after(
        self,
        session: SessionRisk,
        matches: list[RiskMatch],
        findings: Findings,
        failed: list[str],
        text: NormalizedText,
    ) -> SessionRisk:
        strongest = matches[0] if matches else None
        try:
            if strongest is None and self._tells_nothing_in_danger(text, session):
                return session
            unsure = not findings.matches and not findings.signals and only_suspected(matches)
            return update(
                session,
                strongest.level if strongest else RiskLevel.NONE,
                strongest.category if strongest else RiskCategory.NONE,
                weight=findings.weight,
                stressor="stressor" in findings.signals,
                protected="protection" in findings.signals,
                # What a child hints at is not let go as a mere suspicion.
                suspected=unsure and not says_minor(text.text),
            )
        except Exception as error:
            _note_failure("session", error, failed)
            level = max(session.level, strongest.level if strongest else RiskLevel.LOW)
            return replace(session, level=level)

    def _tells_nothing_in_danger(self, text: NormalizedText, session: SessionRisk) -> bool:
        """Whether "ok" or "ignore me" follows danger: that is no calm turn, and the level waits."""
        return session.level >= RiskLevel.MODERATE and self._concern.tells_nothing(text)


def _note_failure(layer: str, error: Exception, failed: list[str]) -> None:
    """Log the kind of error only: its text could quote the message."""
    failed.append(layer)
    _LOG.error("safety layer %s failed: %s", layer, type(error).__name__)


def _earlier_signals(session: SessionRisk) -> frozenset[str]:
    signals: set[str] = set()
    if session.stressor:
        signals.add("stressor")
    if session.level >= RiskLevel.LOW:
        signals.add("prior_low")
    if session.level >= RiskLevel.MODERATE:
        signals |= {"prior_moderate", prior_signal(session.category)}
        if is_just_at_risk(session):
            signals.add("just_at_risk")
    return frozenset(signals)


def _verdict(
    matches: list[RiskMatch], session: SessionRisk, failed: tuple[str, ...], spare: tuple[str, ...]
) -> RiskAssessment:
    level = matches[0].level if matches else RiskLevel.NONE
    if session.level > level:
        matches = [RiskMatch(session.level, session.category, "session", "session.carried", 0, 0), *matches]
    level = max(level, session.level, RiskLevel.LOW if failed else RiskLevel.NONE)
    category = matches[0].category if matches else RiskCategory.NONE
    return RiskAssessment(level, category, tuple(matches), session, (*failed, *spare))


def load_assessor(
    load_encoders: Callable[[], Sequence[SentenceEncoder]] | None = None, *, wait: bool = False
) -> RiskAssessor:
    """Build the assessor from the committed rule files, which a process reads once; that takes seconds.

    Args:
        load_encoders: Gives the sentence encoders that the committed heads were trained with, the first
            member's first. It is called on a thread at the first message (or by ``start``), and until then
            rules, session and floor work alone. Without it the classifier is left out for good.
        wait: Load the encoders now; for evaluations.
    """
    readers = _readers()
    classifier = None
    if load_encoders is not None:
        source = load_encoders
        classifier = BackgroundClassifier(lambda: load_classifier(source()))
        if wait:
            classifier.start().join()
    return RiskAssessor(readers.normalizer, readers.engine, classifier, readers.others)


class _Readers(NamedTuple):
    """What reads a text by the committed files; none has a state, so one of each serves a whole process."""

    normalizer: Normalizer
    engine: RuleEngine
    others: OtherLanguages


@cache
def _readers() -> _Readers:
    books = [load_rule_book(RULES_FOLDER / f"{name}.yaml") for name in _BOOKS]
    words = frozenset[str]().union(*(book.vocabulary for book in books))
    tables = load_spelling_tables()
    real_words = load_real_words(RULES_FOLDER / "real_words.txt") | frozenset(tables.slang)
    normalizer = Normalizer(tables, Lexicon(words, tables.typo_words, real_words))
    engine = RuleEngine(books, load_combinations(RULES_FOLDER / "combinations.yaml"))
    return _Readers(normalizer, engine, OtherLanguages(normalizer))
