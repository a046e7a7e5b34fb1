"""Puts the chat page at ``/`` of a FastAPI application, with the frame around it."""

import gradio as gr
from fastapi import FastAPI
from gradio.themes import Base
from starlette.routing import Mount

from app.address_limit import AddressLimit
from app.settings import ModelSettings, Settings
from app.ui.actions import CountryGuess
from app.ui.card_markup import Helplines
from app.ui.chat import build_chat_page
from app.ui.chat_front import ChatFront
from app.ui.kept_help import kept_help
from app.ui.services import Conversations, Cookie, Memory, PageLimits, Turns
from app.ui.shell import Shell
from app.ui.texts import Texts, load_texts
from models.profiles import Profile, load_profiles, profile_for_model
from safety.country_guess import guess_country


def mount_pages(
    app: FastAPI,
    settings: Settings,
    conversations: Conversations,
    turns: Turns,
    helplines: Helplines,
    cookie: Cookie,
    memory: Memory,
    guess_country: CountryGuess = guess_country,
) -> FastAPI:
    """Build all pages from their parts and mount them; call it after all other routes are there."""
    chat = settings.chat
    limits = PageLimits(
        max_message_chars=chat.max_message_chars,
        resume_hours=chat.resume_hours,
        exit_url=None if chat.exit_url is None else str(chat.exit_url),
    )
    texts = texts_for_model(load_texts(), settings)
    days = settings.storage.retention_days
    texts = {
        code: one.with_text("settings.rule", one("settings.rule", days=days)) for code, one in texts.items()
    }
    newcomers = AddressLimit(settings.limits.conversations_per_hour)
    page = build_chat_page(
        conversations, turns, cookie, memory, helplines, texts, limits, guess_country, newcomers
    )
    shell = Shell(
        texts,
        max_message_chars=limits.max_message_chars,
        exit_url=limits.exit_url,
        help_for=lambda languages: kept_help(guess_country(languages, None), helplines, texts.__getitem__),
        memory=settings.memory.facts,
    )
    return mount_chat_page(app, page, shell)


def texts_for_model(texts: dict[str, Texts], settings: Settings) -> dict[str, Texts]:
    """The notice on the page says, in each language, what the model that answers in it can do.

    A model whose profile is only known once its server was asked is said nothing about.
    """
    return {
        locale: one if (key := _limit(settings, locale)) is None else _noticed(one, key)
        for locale, one in texts.items()
    }


def _noticed(texts: Texts, key: str) -> Texts:
    return texts.with_text("welcome.notice", f"{texts('welcome.notice')} {texts(key)}")


def _limit(settings: Settings, locale: str) -> str | None:
    """The text about what the model can't do, or ``None``."""
    model, second = settings.model, settings.second_model
    if second.url is not None and second.language == locale:
        return None
    first = _profile(model)
    if first is None:
        return None
    if first.monolingual:
        return "welcome.english_only" if second.url is None else None
    return None if locale in first.languages else f"welcome.made_for_{first.languages[0]}"


def _profile(model: ModelSettings) -> Profile | None:
    """What is known of the first model without asking its server."""
    if model.profile is not None:
        return load_profiles()[model.profile]
    if model.url is None and model.folder is None:
        return load_profiles()["embedded"]
    return None if model.name is None else profile_for_model(model.name)


def mount_chat_page(app: FastAPI, page: gr.Blocks, shell: Shell) -> FastAPI:
    """Mount ``page`` at ``/``; call it after all other routes are there.

    Args:
        app: The application; its own routes go first.
        page: From ``app.ui.chat.build_chat_page``.
        shell: The frame.

    Returns:
        The same application.
    """
    gr.mount_gradio_app(  # pyright: ignore[reportUnknownMemberType]
        app,
        page,
        path="/",
        footer_links=[],
        app_kwargs={"docs_url": None, "redoc_url": None, "openapi_url": None},
        run_history=False,
        show_error=False,
        max_file_size="1kb",
        ssr_mode=False,
        enable_monitoring=False,
        pwa=False,
        mcp_server=False,
        theme=Base(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]),
    )
    mounted = app.routes[-1]
    if not isinstance(mounted, Mount):
        msg = "Gradio did not mount the page as its last route"
        raise TypeError(msg)
    mounted.app = ChatFront(mounted.app, shell)
    return app
