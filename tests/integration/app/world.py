"""The real pipeline over a real SQLite file, with a scripted model and scorer."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from app.chat.choice import ReplyChooser
from app.chat.crisis import CrisisDesk
from app.chat.emotions import MessageEmotions, Reader
from app.chat.events import TurnEvent
from app.chat.memory import MessageMemory
from app.chat.memory import Reader as FactReader
from app.chat.own_memory import OwnMemory
from app.chat.reply import ReplyMaker
from app.chat.sampling import Sampler, SampleSettings
from app.chat.session import ConversationService
from app.chat.stores import TurnStores
from app.chat.turn import TurnService
from app.db.candidates import CandidateRepository
from app.db.crisis import CrisisRecorder
from app.db.engine import SessionFactory, create_engine, session_factory
from app.db.facts import FactRepository
from app.db.feedback import FeedbackRepository
from app.db.messages import MessageRepository
from app.db.migrate import upgrade
from app.db.persons import PersonRepository
from app.db.risk import RiskRepository
from app.db.sessions import SessionRepository
from app.metrics import Metrics
from models.rerank import RerankWeights
from models.routing import ModelsByLanguage
from safety.helplines import load_directory
from safety.risk import load_assessor
from tests.fakes.chat_model import FakeChatModel
from tests.fakes.scoring import FakeScorer, FakeToxicity

PERSON = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"


@dataclass
class World:
    model: FakeChatModel
    metrics: Metrics
    stores: TurnStores
    turns: TurnService
    conversations: ConversationService
    factory: SessionFactory
    memory: MessageMemory
    own_memory: OwnMemory
    scorer: FakeScorer

    async def session(self, person: str = PERSON) -> str:
        return (await self.conversations.create(person, "en", country="US")).id

    async def take(self, session_id: str, text: str) -> list[TurnEvent]:
        return [event async for event in self.turns.run(session_id, text)]


@asynccontextmanager
async def a_world(
    folder: Path,
    model: FakeChatModel,
    *,
    emotions: Reader | None = None,
    others: Mapping[str, FakeChatModel] | None = None,
    facts: FactReader | None = None,
    url: str | None = None,
    history: int = 60,
) -> AsyncIterator[World]:
    url = url or f"sqlite:///{folder / 'test.sqlite3'}"
    await asyncio.to_thread(upgrade, url)
    engine = create_engine(url)
    factory = session_factory(engine)
    metrics = Metrics()
    stores = TurnStores(
        PersonRepository(factory),
        SessionRepository(factory),
        MessageRepository(factory),
        CandidateRepository(factory),
        FactRepository(factory),
    )
    helplines = load_directory(None)
    desk = CrisisDesk(load_assessor(), helplines, CrisisRecorder(factory), metrics, None)
    scorer = FakeScorer()
    chooser = ReplyChooser(scorer, FakeToxicity(), RerankWeights(), metrics)
    models = ModelsByLanguage(model, others or {})
    maker = ReplyMaker(stores, models, Sampler(SampleSettings(3), metrics), chooser, metrics, history)
    feelings = None if emotions is None else MessageEmotions(lambda: emotions, stores.messages, metrics)
    memory = MessageMemory(stores.facts, metrics, facts)
    turns = TurnService(
        stores, desk, maker, metrics, 4000, reveal_delay_s=0, emotions=feelings, memory=memory
    )
    conversations = ConversationService(
        stores.persons,
        stores.sessions,
        stores.messages,
        FeedbackRepository(factory),
        RiskRepository(factory),
        helplines,
        model_name=model.name,
        notice_minutes=120,
        max_sessions=200,
    )
    try:
        own = OwnMemory(stores.sessions, stores.facts)
        yield World(model, metrics, stores, turns, conversations, factory, memory, own, scorer)
    finally:
        await memory.close()
        await engine.dispose()
