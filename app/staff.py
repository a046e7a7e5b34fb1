"""Builds the staff side of the application: sign-in, gate, review and annotation pages.

Part of the composition root: besides ``app.main``, the only module that knows these concrete classes.
"""

from datetime import timedelta

from fastapi import FastAPI
from gradio import Blocks

from app.address_limit import AddressLimit
from app.api.exports import export_kinds, export_router
from app.api.insights_report import insights_report_router
from app.api.oidc_login import ADDRESS as OIDC_ADDRESS
from app.api.oidc_login import oidc_app
from app.api.own_password import own_password_router
from app.api.ranking_report import ranking_report_router
from app.api.referral_report import referral_report_router
from app.api.review_queue import review_queue_router
from app.api.senders import own_hosts
from app.api.staff_answers import add_staff_answers
from app.api.staff_login import staff_login_router
from app.api.staff_me import staff_me_router
from app.api.verdict_export import verdict_export_router
from app.auth.oidc import ProviderSignIn
from app.auth.page_list import PAGES
from app.auth.roles import StaffGate
from app.auth.secret import signing_key
from app.auth.sign_in import SignInRules, StaffAuth
from app.auth.staff_pages import StaffPagesMiddleware
from app.db.annotation import AnnotationRepository
from app.db.audit import AuditRepository
from app.db.candidates import CandidateRepository
from app.db.engine import SessionFactory
from app.db.feedback import FeedbackRepository
from app.db.flag_queue import FlagQueueRepository
from app.db.flags import FlagRepository
from app.db.insights_flags import FlagInsights
from app.db.insights_read import InsightsRepository
from app.db.messages import MessageRepository
from app.db.missed import MissedRepository
from app.db.preference_exports import PreferenceExportRepository
from app.db.ranking_outcomes import RankingOutcomes
from app.db.rankings import RankingRepository
from app.db.rating_exports import RatingExportRepository
from app.db.referrals import ReferralRepository
from app.db.risk import RiskRepository
from app.db.scores import ScoreRepository
from app.db.staff import StaffRepository
from app.db.staff_sessions import StaffSessionRepository
from app.db.verdicts import VerdictRepository
from app.settings import Settings
from app.ui.accounts_desk import AccountsDesk
from app.ui.accounts_page import AccountsHandlers, build_accounts_page
from app.ui.annotate import ANNOTATE_HEAD, AnnotateCalls, build_annotate_page
from app.ui.annotation_desk import AnnotationDesk, AnnotationStore
from app.ui.audit_page import AuditHandlers
from app.ui.danger import DangerCalls
from app.ui.danger_desk import DangerDesk
from app.ui.export import ExportHandlers, build_export_page
from app.ui.export_desk import ExportDesk
from app.ui.insights import InsightsHandlers, build_insights_page
from app.ui.login_page import StaffPages
from app.ui.password_page import PasswordPages
from app.ui.rank import RankCalls
from app.ui.ranking_desk import RankingDesk, RankingStore
from app.ui.review import ReviewHandlers
from app.ui.review_desk import ReviewDesk
from app.ui.review_page import build_review_page
from app.ui.staff_mount import mount_staff_page
from app.ui.staff_texts import browser_texts, load_staff_texts
from app.ui.stale_helplines import StaleHelplines
from app.ui.texts import Texts
from safety.helplines import HelplineDirectory


def add_staff(
    app: FastAPI,
    settings: Settings,
    sessions: SessionFactory,
    helplines: HelplineDirectory,
) -> None:
    """Add everything for staff; call it before the chat page takes all other addresses.

    Args:
        app: The application.
        settings: Rules of sign-in, and whether cookies are for https only.
        sessions: Makes database sessions.
        helplines: What persons are shown; admins are told which entries have to be checked.
    """
    staff, audit = StaffRepository(sessions), AuditRepository(sessions)
    messages = MessageRepository(sessions)
    rules = SignInRules(
        session=timedelta(hours=settings.auth.session_hours),
        max_failures=settings.auth.max_failures,
        lock=timedelta(minutes=settings.auth.lock_minutes),
        idle=timedelta(minutes=settings.auth.idle_minutes) or None,
    )
    auth = StaffAuth(staff, StaffSessionRepository(sessions), audit, rules)
    gate = StaffGate(auth, audit)
    app.state.staff_gate = gate
    app.state.own_hosts = own_hosts(settings.server)

    texts = load_staff_texts()
    i18n = browser_texts(texts)
    by_provider = settings.oidc.discovery_url is not None
    plain = StaffPages(texts, settings.oidc.label if by_provider else None)
    attempts = AddressLimit(settings.limits.sign_ins_per_hour)
    if by_provider:
        secret = settings.server.secret_key
        key = signing_key(settings.storage.folder, None if secret is None else secret.get_secret_value())
        admit = ProviderSignIn(auth, staff, audit, settings.oidc)
        app.mount(OIDC_ADDRESS, oidc_app(settings, key, admit, plain, attempts))
    add_staff_answers(app, plain)
    app.include_router(staff_login_router(auth, plain, attempts, secure=settings.secure_cookies))
    app.include_router(own_password_router(auth, PasswordPages(texts), secure=settings.secure_cookies))
    app.include_router(staff_me_router(StaleHelplines(helplines, texts).told))
    desk = ReviewDesk(
        FlagRepository(sessions),
        messages,
        RiskRepository(sessions),
        ReferralRepository(sessions),
        staff,
        audit,
        CandidateRepository(sessions),
        MissedRepository(sessions),
        helplines,
    )
    app.include_router(referral_report_router(ReferralRepository(sessions), audit))
    ratings = RatingExportRepository(sessions)
    app.include_router(export_router(export_kinds(ratings, PreferenceExportRepository(sessions)), audit))
    limits = settings.review.limits
    app.include_router(review_queue_router(FlagQueueRepository(sessions), limits))
    app.include_router(verdict_export_router(VerdictRepository(sessions), audit))
    review = build_review_page(ReviewHandlers(desk, gate, texts, limits), i18n, settings.review.poll_seconds)
    queue = AnnotationRepository(sessions, double_share=settings.annotation.double_share)
    exports = ExportDesk(ratings, messages, queue, audit)
    export = build_export_page(ExportHandlers(exports, gate, texts), i18n)
    mount_staff_page(app, review, "/review", i18n)
    mount_staff_page(
        app,
        _annotate_page(app, sessions, queue, gate, audit, texts),
        "/annotate",
        i18n,
        head=ANNOTATE_HEAD,
    )
    mount_staff_page(app, export, "/export", i18n)
    _add_insights(app, settings, sessions, gate, audit, texts)
    accounts = AccountsDesk(staff, audit)
    staff_page = build_accounts_page(
        AccountsHandlers(accounts, gate, texts), AuditHandlers(accounts, gate, texts), i18n
    )
    mount_staff_page(app, staff_page, "/staff", i18n)
    app.add_middleware(StaffPagesMiddleware, gate=gate, pages=PAGES, refused=plain.refused)


def _annotate_page(
    app: FastAPI,
    sessions: SessionFactory,
    queue: AnnotationRepository,
    gate: StaffGate,
    audit: AuditRepository,
    texts: dict[str, Texts],
) -> Blocks:
    """The page on which replies are rated and ranked, and the file of its results."""
    messages, candidates = MessageRepository(sessions), CandidateRepository(sessions)
    replies = AnnotationDesk(
        AnnotationStore(
            queue, messages, FeedbackRepository(sessions), ScoreRepository(sessions), candidates, audit
        )
    )
    rankings = RankingDesk(RankingStore(queue, messages, candidates, RankingRepository(sessions), audit))
    outcomes = RankingOutcomes(sessions)
    app.include_router(ranking_report_router(outcomes, audit))
    return build_annotate_page(
        AnnotateCalls(replies, gate, texts),
        RankCalls(rankings, outcomes, gate, texts),
        DangerCalls(DangerDesk(queue, messages, MissedRepository(sessions), audit), gate, texts),
    )


def _add_insights(
    app: FastAPI,
    settings: Settings,
    sessions: SessionFactory,
    gate: StaffGate,
    audit: AuditRepository,
    texts: dict[str, Texts],
) -> None:
    """The insights page and its files."""
    allowed = settings.review.limits
    figures, flags = InsightsRepository(sessions, settings.insights.min_count), FlagInsights(sessions)
    app.include_router(insights_report_router(figures, flags, audit, allowed))
    i18n = browser_texts(texts)
    page = build_insights_page(InsightsHandlers(figures, flags, gate, texts, allowed), i18n)
    mount_staff_page(app, page, "/insights", i18n)
