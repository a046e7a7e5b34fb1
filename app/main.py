"""The composition root: builds every part once and returns the FastAPI application.

This is the only module that knows which concrete class stands behind each protocol.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, fields
from datetime import timedelta
from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from sqlalchemy.ext.asyncio import AsyncEngine

from app.alert_channels import channels_for
from app.alert_job import AlertJob
from app.api.body_limit import BodyLimitMiddleware
from app.api.headers import SecurityHeadersMiddleware
from app.api.health import health_router
from app.api.hosts import KnownHostsMiddleware, known_hosts
from app.api.person_data import person_data_router
from app.api.protocol import protocol_router
from app.api.readiness import Readiness
from app.api.senders import SendersMiddleware, own_hosts
from app.auth.person_cookie import PersonCookie, PersonCookieMiddleware
from app.auth.secret import signing_key
from app.background import running
from app.chat.choice import ReplyChooser
from app.chat.crisis import CrisisDesk
from app.chat.emotions import MessageEmotions
from app.chat.memory import MessageMemory
from app.chat.own_memory import OwnMemory
from app.chat.reply import ReplyMaker
from app.chat.reply_faults import ReplyFaults
from app.chat.sampling import Sampler, SampleSettings
from app.chat.scoring import BackgroundScorer
from app.chat.second_opinion import SecondOpinion
from app.chat.session import ConversationService
from app.chat.stores import TurnStores
from app.chat.turn import TurnService
from app.database import configured_engine
from app.db.candidates import CandidateRepository
from app.db.crisis import CrisisRecorder
from app.db.encryption_keys import claim_keys
from app.db.engine import SessionFactory, session_factory
from app.db.facts import FactRepository
from app.db.feedback import FeedbackRepository
from app.db.flag_notices import FlagNoticeRepository
from app.db.messages import MessageRepository
from app.db.persons import PersonRepository
from app.db.risk import RiskRepository
from app.db.sessions import SessionRepository
from app.insights_job import count_figures
from app.leaving import Leaving, LeavingMiddleware
from app.metrics import Metrics, StageObserver
from app.retention_job import deleting_daily
from app.settings import RerankSettings, Settings
from app.staff import add_staff
from app.ui.mount import mount_pages
from models.answers import AnswerReader, load_answers
from models.chat_model import ChatModel, RetryListener
from models.emotion import EmotionReader, has_emotions, load_emotions
from models.encoder import (
    CRISIS,
    CRISIS_MEMBERS,
    TUNED,
    UNTUNED,
    CachedEncoder,
    Encoder,
    default_encoder,
    is_installed,
    load_encoder,
    untuned_part,
)
from models.fact_reader import FactReader
from models.local import LocalChatModel
from models.profiles import load_profiles
from models.rerank import RerankWeights
from models.risk_judge import RiskJudge
from models.routing import ModelsByLanguage
from models.scorer import Strategies, scorer_with
from models.strategy_file import load_strategies
from models.vllm import VllmChatModel
from models.weights import embedded_base
from safety.helplines import HelplineDirectory, load_directory
from safety.levels import RiskCategory
from safety.reply_classifier import ReplyClassifier, load_reply_classifier
from safety.risk import load_assessor
from safety.toxicity import load_toxicity_checker

_CLOSE_S = 5.0


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that was built, for the web application, evaluations and load tests."""

    settings: Settings
    engine: AsyncEngine
    metrics: Metrics
    models: ModelsByLanguage
    turns: TurnService
    conversations: ConversationService
    helplines: HelplineDirectory
    readiness: Readiness
    sessions: SessionFactory
    alerts: AlertJob
    memory: MessageMemory
    own_memory: OwnMemory

    async def start(self) -> None:
        """Mark turns that a crash cut off, and load models in the background.

        Raises:
            EncryptionError: Stored text needs a key that the settings lack.
        """
        await claim_keys(self.sessions, self.settings.storage.cipher)
        # Several processes share a PostgreSQL: a turn of another one may be going on right now.
        shared = self.engine.dialect.name != "sqlite"
        longest = timedelta(seconds=2 * self.settings.model.timeout_s if shared else 0)
        await MessageRepository(self.sessions).fail_interrupted(longest)
        self.readiness.warm_up()

    async def ready(self) -> None:
        """Wait until every needed part works; for evaluations, which should not measure loading."""
        while any(part.needed and part.state == "missing" for part in await self.readiness.parts()):
            await asyncio.sleep(0.2)

    async def close(self) -> None:
        """Free the models and the database."""
        await self.memory.close()
        with suppress(TimeoutError):
            # A model that is still being loaded can't be told to stop; the process does not wait for it.
            await asyncio.wait_for(self.models.close(), _CLOSE_S)
        await self.engine.dispose()


def build_parts(
    settings: Settings, *, model: ChatModel | None = None, observe: StageObserver | None = None
) -> Parts:
    """Build all parts; the database must be migrated, models load later.

    Args:
        settings: Checked settings.
        model: A ready chat model in place of those the settings name.
        observe: Told the seconds of each stage of a turn, beside the metrics.
    """
    metrics = Metrics(observe)
    engine = configured_engine(settings)
    factory = session_factory(engine)
    persons, sessions = PersonRepository(factory), SessionRepository(factory)
    messages, candidates = MessageRepository(factory), CandidateRepository(factory)
    helplines = load_directory(settings.safety.helplines_file)
    models = _models(settings, metrics.second_draws.inc) if model is None else ModelsByLanguage(model)
    encoder = _SharedEncoder(settings)
    feelings = encoder.emotion_reader if settings.heads.emotions else None
    scorer = BackgroundScorer(
        lambda: scorer_with(
            encoder.get(),
            _strategies(settings, encoder.get()),
            feelings() if feelings else None,
            answers_of(settings) if model is None else None,
        )
    )
    faults = ReplyFaults(encoder.reply_classifier)
    toxicity = load_toxicity_checker(
        checkpoint=settings.safety.detoxify_checkpoint,
        config=settings.safety.detoxify_config,
        allow_download=settings.safety.detoxify_download,
    )
    assessor = load_assessor(_crisis_encoders())
    opinion = _second_opinion(settings, metrics)
    desk = CrisisDesk(
        assessor, helplines, CrisisRecorder(factory), metrics, settings.safety.default_country, opinion
    )
    facts = FactRepository(factory)
    stores = TurnStores(persons, sessions, messages, candidates, facts)
    maker = ReplyMaker(
        stores,
        models,
        Sampler(_sampling(settings), metrics),
        ReplyChooser(scorer, toxicity, reranker_weights(settings), metrics, faults),
        metrics,
        settings.chat.history_messages,
    )
    emotions = MessageEmotions(feelings, messages, metrics)
    memory = MessageMemory(facts, metrics, _fact_reader(settings))
    turns = TurnService(
        stores,
        desk,
        maker,
        metrics,
        settings.chat.max_message_chars,
        max_turns_of_person=settings.chat.max_turns,
        emotions=emotions,
        memory=memory if settings.memory.facts else None,
    )
    conversations = ConversationService(
        persons,
        sessions,
        messages,
        FeedbackRepository(factory),
        RiskRepository(factory),
        helplines,
        model_name=models.first.name,
        notice_minutes=settings.chat.notice_minutes,
        nudge_minutes=settings.chat.nudge_minutes,
        max_sessions=settings.chat.max_sessions,
        default_country=settings.safety.default_country,
    )
    own_memory = OwnMemory(sessions, facts)
    alerts = _alerts(settings, factory)
    readiness = Readiness(
        engine, models, scorer, assessor, toxicity, helplines, faults, opinion, alerts.parts, emotions
    )
    return Parts(
        settings,
        engine,
        metrics,
        models,
        turns,
        conversations,
        helplines,
        readiness,
        factory,
        alerts,
        memory,
        own_memory,
    )


def create_app(settings: Settings, parts: Parts | None = None) -> FastAPI:
    """The web application.

    Args:
        settings: Checked settings.
        parts: Ready parts, for tests that replace some of them.
    """
    built = parts or build_parts(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        await built.start()
        counting = count_figures(built.sessions, settings.insights.every_minutes * 60)
        try:
            async with (
                deleting_daily(built.sessions, settings.storage),
                running(counting),
                running(built.alerts.run()),
            ):
                yield
        finally:
            await built.close()

    app = FastAPI(title="Hearken", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    secret = settings.server.secret_key
    key = signing_key(settings.storage.folder, None if secret is None else secret.get_secret_value())
    cookie = PersonCookie(key, secure=settings.secure_cookies)
    token = settings.server.metrics_token
    app.include_router(
        health_router(
            built.readiness.parts, built.metrics, None if token is None else token.get_secret_value()
        )
    )
    app.include_router(person_data_router(built.conversations, cookie, built.own_memory))
    app.include_router(protocol_router(built.helplines))
    app.mount("/static", StaticFiles(directory=Path(__file__).parent.parent / "static"), name="static")
    add_staff(app, settings, built.sessions, built.helplines)
    app = mount_pages(
        app, settings, built.conversations, built.turns, built.helplines, cookie, built.own_memory
    )
    app.state.leaving = Leaving(built.turns)
    app.add_middleware(LeavingMiddleware, leaving=app.state.leaving)
    app.add_middleware(PersonCookieMiddleware, cookie=cookie)
    app.add_middleware(SendersMiddleware, own=own_hosts(settings.server))
    app.add_middleware(SecurityHeadersMiddleware, https=settings.secure_cookies)
    app.add_middleware(BodyLimitMiddleware)
    app.add_middleware(KnownHostsMiddleware, hosts=known_hosts(settings.server))
    return app


def _models(settings: Settings, on_thoughts_only: RetryListener) -> ModelsByLanguage:
    """The first chat model, and a second one for its language when an address is given."""
    first, second = _model(settings, on_thoughts_only), settings.second_model
    if second.url is None:
        return ModelsByLanguage(first)
    other = VllmChatModel(
        str(second.url),
        api_key=None if second.api_key is None else second.api_key.get_secret_value(),
        model=second.name,
        profile=None if second.profile is None else load_profiles()[second.profile],
        timeout_s=settings.model.timeout_s,
        max_concurrency=settings.model.max_concurrency,
        on_thoughts_only=on_thoughts_only,
    )
    return ModelsByLanguage(first, {second.language: other})


def _model(settings: Settings, on_thoughts_only: RetryListener) -> ChatModel:
    """The chat model behind the settings: a vLLM server when an address is given, else one in here."""
    chosen = settings.model
    profile = None if chosen.profile is None else load_profiles()[chosen.profile]
    if chosen.url is not None:
        return VllmChatModel(
            str(chosen.url),
            api_key=None if chosen.api_key is None else chosen.api_key.get_secret_value(),
            model=chosen.name,
            profile=profile,
            timeout_s=chosen.timeout_s,
            max_concurrency=chosen.max_concurrency,
            on_thoughts_only=on_thoughts_only,
        )
    return LocalChatModel(
        folder=chosen.folder,
        adapter=chosen.adapter,
        profile=profile,
        timeout_s=chosen.timeout_s,
        max_queue=chosen.max_queue,
        threads=chosen.threads,
        cache_folder=_model_cache(settings),
        on_thoughts_only=on_thoughts_only,
    )


def _model_cache(settings: Settings) -> Path:
    """Where unpacked weights of the embedded model are kept."""
    return settings.storage.folder / "models"


def _strategies(settings: Settings, encoder: Encoder) -> Strategies | None:
    """The reader of support strategies, where an operator names its file."""
    file = settings.heads.strategies
    return None if file is None else load_strategies(encoder, file, embedded_base(_model_cache(settings)))


def answers_of(settings: Settings) -> AnswerReader | None:
    """The reader of whether a reply fits, where the model answers whose replies it learned from."""
    chosen = settings.model
    shipped = chosen.url is None and chosen.folder is None and chosen.adapter == "default"
    return load_answers() if shipped and is_installed(UNTUNED) else None


def _crisis_encoders() -> Callable[[], list[Encoder]] | None:
    """The encoders of the crisis classifier, apart from the scorer's: nobody in danger waits behind a reply.

    Each head was trained on one encoder; where the first is not installed, rules work alone, and without the
    second the first does, which readiness tells.
    """
    return (lambda: [load_encoder(name) for name in CRISIS_MEMBERS]) if is_installed(CRISIS) else None


def _second_opinion(settings: Settings, metrics: Metrics) -> SecondOpinion | None:
    """The judge of the crisis layers, when an operator names a server for it."""
    chosen = settings.safety
    if chosen.judge_url is None:
        return None
    judge = RiskJudge(
        str(chosen.judge_url),
        [category.value for category in RiskCategory],
        api_key=None if chosen.judge_api_key is None else chosen.judge_api_key.get_secret_value(),
        model=chosen.judge_model,
        timeout_s=chosen.judge_timeout_s,
    )
    return SecondOpinion(judge, metrics, chosen.judge_timeout_s)


def _fact_reader(settings: Settings) -> FactReader | None:
    """The served model as a reader of facts, where an operator wants that."""
    chosen = settings.model
    if not settings.memory.model or chosen.url is None:
        return None
    return FactReader(
        str(chosen.url),
        api_key=None if chosen.api_key is None else chosen.api_key.get_secret_value(),
        model=chosen.name,
        timeout_s=settings.memory.timeout_s,
    )


def _alerts(settings: Settings, factory: SessionFactory) -> AlertJob:
    """Tells reviewers of flags, by the channels that an operator has set up."""
    server = settings.server
    address = str(server.public_url or f"http://{server.host}:{server.port}").rstrip("/")
    return AlertJob(
        FlagNoticeRepository(factory), channels_for(settings.alerts), settings.review.limits, address
    )


class _SharedEncoder:
    """The encoder of scorer and reply check, loaded once: both read the same sentences."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings.rerank
        self._lock = threading.Lock()
        self._encoder: Encoder | None = None

    def get(self) -> Encoder:
        """The encoder, loaded if need be."""
        with self._lock:
            if self._encoder is None:
                chosen = self._settings
                inner = load_encoder(chosen.encoder, threads=chosen.threads)
                self._encoder = CachedEncoder(inner, chosen.cache_sentences)
        return self._encoder

    @property
    def _name(self) -> str:
        return default_encoder() if self._settings.encoder == "default" else self._settings.encoder

    @property
    def emotion_reader(self) -> Callable[[], EmotionReader] | None:
        """Builds the reader of emotions; its head was trained on one encoder only."""
        return (lambda: load_emotions(self.get())) if has_emotions(self._name) else None

    @property
    def reply_classifier(self) -> Callable[[], ReplyClassifier] | None:
        """Builds the classifier of the reply check; its head was trained on one encoder only."""
        if self._name not in (UNTUNED, TUNED):
            return None
        return lambda: load_reply_classifier(untuned_part(self.get()))


def _sampling(settings: Settings) -> SampleSettings:
    return SampleSettings(
        settings.candidates,
        settings.rerank.form_threshold,
        settings.model.prompt_folder,
        settings.memory.prompt_tokens if settings.memory.facts else 0,
    )


def reranker_weights(settings: Settings) -> RerankWeights:
    """Every weight that has a setting of its name."""
    chosen = settings.rerank
    shared = {field.name for field in fields(RerankWeights)} & set(RerankSettings.model_fields)
    return RerankWeights(**{name: getattr(chosen, name) for name in shared})


__all__ = ["Parts", "answers_of", "build_parts", "create_app", "reranker_weights"]
