"""Every setting of the application, read once from the environment and an optional ``.env`` file.

A variable is named ``HEARKEN_<GROUP>__<NAME>``, for example ``HEARKEN_MODEL__URL``. A wrong
value stops the start; :func:`load_settings` tells all faults at once, one line for each.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field, HttpUrl, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings import SettingsError as UnreadableError

from app.settings_alerts import AlertSettings
from app.settings_given import ENV_ENCODING, ENV_FILE, faults, read_given
from app.settings_heads import HeadSettings
from app.settings_memory import MemorySettings
from app.settings_model import ProfileName, SecondModelSettings
from app.settings_oidc import OidcSettings
from app.settings_staff import (
    AnnotationSettings,
    AuthSettings,
    InsightSettings,
    LimitSettings,
    ReviewSettings,
)
from app.settings_storage import StorageSettings
from app.settings_values import (
    AdapterFolder,
    CountryCode,
    ExistingFile,
    ExistingFolder,
    ModelFolder,
    SiteUrl,
    TorchFile,
)
from app.settings_words import reason
from models.prompts import check_templates

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Weight = Annotated[float, Field(ge=0.0, le=10.0)]


class SettingsError(Exception):
    """One or more settings are wrong; the text names each variable and what it allows."""


class ServerSettings(BaseModel):
    """Where the web server listens and how browsers are told apart."""

    host: str = Field(default="127.0.0.1", description="Address to listen on; 0.0.0.0 for all interfaces.")
    port: int = Field(default=7860, ge=1, le=65535, description="TCP port to listen on.")
    public_url: SiteUrl | None = Field(
        default=None,
        description="Address people use, without a path, when a reverse proxy stands in front; https makes "
        "cookies secure.",
    )
    secret_key: SecretStr | None = Field(
        default=None,
        min_length=32,
        description="Signs browser cookies, at least 32 characters; unset: made once and kept in the folder.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Lowest level that is logged; message text is never logged."
    )
    metrics_token: SecretStr | None = Field(
        default=None,
        description="When set, /metrics answers only to this bearer token; when unset, only to loopback.",
    )


class ModelSettings(BaseModel):
    """Which chat model answers."""

    url: HttpUrl | None = Field(
        default=None,
        description="OpenAI-compatible address of a vLLM server, such as http://vllm:8000/v1; "
        "unset means the embedded model in this process.",
    )
    api_key: SecretStr | None = Field(default=None, description="Key that the vLLM server was started with.")
    name: str | None = Field(
        default=None,
        description="Served model to ask for; unset takes the first served one that a profile knows.",
    )
    profile: ProfileName | None = Field(
        default=None, description="Checkpoint profile; unset takes the one that fits the model's name."
    )
    folder: ModelFolder | None = Field(
        default=None,
        description="Folder of a Transformers model to load in this process instead of the embedded one.",
    )
    adapter: AdapterFolder = Field(
        default="default",
        description="LoRA adapter for the model in this process: default, none, or a folder.",
    )
    candidates: int | None = Field(
        default=None,
        ge=1,
        le=32,
        description="Replies sampled a turn; unset means 4 embedded and 8 with vLLM.",
    )
    timeout_s: float = Field(
        default=120.0, gt=0, le=3600, description="Seconds a reply may take before it counts as failed."
    )
    max_concurrency: int = Field(default=32, ge=1, le=1024, description="Requests sent to vLLM at once.")
    max_queue: int = Field(
        default=64, ge=1, le=10000, description="Persons who may wait for the embedded model."
    )
    threads: int = Field(default=2, ge=1, le=256, description="CPU threads of the model in this process.")
    prompt_folder: ExistingFolder | None = Field(
        default=None,
        description="Folder whose prompt files replace the built-in ones (same names and placeholders).",
    )

    @field_validator("prompt_folder")
    @classmethod
    def _usable_prompts(cls, value: Path | None) -> Path | None:
        """Refuse a prompt file that could not be filled in later, in the middle of a conversation."""
        if value is not None:
            check_templates(value)
        return value


class ChatSettings(BaseModel):
    """Limits of a conversation."""

    max_message_chars: int = Field(
        default=4000, ge=100, le=100000, description="Longest message a person can send."
    )
    max_turns: int = Field(
        default=3,
        ge=1,
        le=100,
        description="Replies a person can wait for at the same time, in several pages.",
    )
    max_sessions: int = Field(default=200, ge=1, le=100000, description="Conversations a person can keep.")
    notice_minutes: int = Field(
        default=120, ge=1, le=1440, description="After this many minutes of use the AI notice is shown again."
    )
    nudge_minutes: int = Field(
        default=120,
        ge=0,
        le=1440,
        description="After so many minutes of writing without a break, one is suggested, once; 0 is never.",
    )
    history_messages: int = Field(
        default=60,
        ge=2,
        le=2000,
        description="Most recent messages considered for the prompt (then cut to the context).",
    )
    resume_hours: float = Field(
        default=12.0,
        ge=0.0,
        le=8760.0,
        description="A conversation that was active within so many hours is opened again by a new tab.",
    )
    exit_url: HttpUrl | None = Field(
        default=None,
        description="Where the quick exit leads; unset means a well-known harmless page of the language.",
    )


class RerankSettings(BaseModel):
    """Weights of the re-ranker; see docs/novelty.md for the objective."""

    encoder: Literal["default", "e5-mint", "e5", "minilm"] = Field(
        default="default",
        description="Encoder of tagger and empathy score; default: e5-mint (English, Chinese) if installed.",
    )
    threads: int = Field(
        default=1, ge=1, le=256, description="CPU threads of the encoder; one is best beside other work."
    )
    cache_sentences: int = Field(
        default=20000, ge=0, le=10_000_000, description="Sentence vectors kept in memory."
    )
    quality: Weight = Field(default=1.0, description="Weight of the predicted empathy quality.")
    novelty: Weight = Field(
        default=0.05, description="Points of quality that the most novel candidate is worth over the least."
    )
    conversation: Weight = Field(
        default=0.05, description="The same against all turns of the conversation, older ones weighing less."
    )
    decay: Share = Field(
        default=0.6, description="Weight of an earlier turn for each turn since (0: only the last turn)."
    )
    reuse: Weight = Field(
        default=0.7,
        description="Points of quality lost for an average tactic of the last turn that comes back.",
    )
    tactics: Weight = Field(
        default=0.0, description="Points of quality lost for each tactic that a reply is expected to carry."
    )
    repetition: Weight = Field(
        default=0.3, description="Points of quality lost by an earlier reply given again word for word."
    )
    restated: Weight = Field(
        default=0.2,
        description="Points of quality lost by a reply that only says, in other words, what was said before.",
    )
    opening: Weight = Field(
        default=0.05, description="Points of quality lost by opening with the same words as an earlier reply."
    )
    premature: Weight = Field(
        default=0.2, description="Points of quality lost by advice before anything was understood."
    )
    validation: Weight = Field(
        default=0.05,
        description="Points of quality lost by a reply that only agrees, or validates once more.",
    )
    missed: Weight = Field(
        default=0.05,
        description="Points of quality lost by taking up none of the names, numbers and events told.",
    )
    invented: Weight = Field(
        default=0.6,
        description="Points of quality lost by two details that the person never told; one costs half.",
    )
    unfit: Weight = Field(
        default=6.0,
        description="Points of quality lost by a reply of the embedded model that misses what was said.",
    )
    generic: Weight = Field(
        default=0.05, description="Points of quality lost by a reply that could have been given to anybody."
    )
    tone: Weight = Field(
        default=0.1, description="Points of quality lost by a reply in another tone than the person's."
    )
    guidance: Weight = Field(
        default=0.5, description="Points of quality that safety guidance is worth when a person is at risk."
    )
    form: Weight = Field(
        default=0.5,
        description="Points of quality lost by an output with format reward 0, for a checkpoint with a form.",
    )
    form_threshold: Share = Field(
        default=0.9,
        description="Format reward below which a candidate is repaired or dropped; 0 keeps clear answers.",
    )
    max_quality_loss: float = Field(
        default=0.6, ge=0.0, le=4.0, description="Most points of quality (1 to 5) given up for novelty."
    )


class SafetySettings(BaseModel):
    """Crisis handling and reply checks."""

    default_country: CountryCode | None = Field(
        default=None,
        description="ISO code (as GB) of a country with helplines, assumed when nothing else is known.",
    )
    helplines_file: ExistingFile | None = Field(
        default=None,
        description="JSON file that replaces or adds helplines, in the form of safety/helplines.json.",
    )
    detoxify_checkpoint: TorchFile | None = Field(
        default=None,
        description="Weights file of detoxify's original model; replies are checked by rules without.",
    )
    detoxify_config: ExistingFolder | None = Field(
        default=None, description="Folder with tokenizer and configuration of detoxify's base model."
    )
    detoxify_download: bool = Field(
        default=False,
        description="Let detoxify fetch its weights from the internet, once, in the background.",
    )
    judge_url: HttpUrl | None = Field(
        default=None,
        description="OpenAI-compatible address of a model that judges each message beside the rules, such as "
        "http://vllm:8000/v1; unset means no judge, which is never needed.",
    )
    judge_api_key: SecretStr | None = Field(default=None, description="Key of the judge's server.")
    judge_model: str | None = Field(
        default=None, description="Served model that judges; unset takes the first served one."
    )
    judge_timeout_s: float = Field(
        default=3.0, gt=0, le=60, description="Seconds after which a turn goes on without the judge."
    )


class Settings(BaseSettings):
    """All groups; built by :func:`load_settings`."""

    model_config = SettingsConfigDict(
        env_prefix="HEARKEN_",
        env_nested_delimiter="__",
        env_file=ENV_FILE,
        env_file_encoding=ENV_ENCODING,
        env_ignore_empty=True,
        extra="ignore",
    )

    server: ServerSettings = Field(default_factory=ServerSettings)
    storage: StorageSettings = Field(default_factory=StorageSettings)
    model: ModelSettings = Field(default_factory=ModelSettings)
    second_model: SecondModelSettings = Field(default_factory=SecondModelSettings)
    chat: ChatSettings = Field(default_factory=ChatSettings)
    rerank: RerankSettings = Field(default_factory=RerankSettings)
    heads: HeadSettings = Field(default_factory=HeadSettings)
    memory: MemorySettings = Field(default_factory=MemorySettings)
    safety: SafetySettings = Field(default_factory=SafetySettings)
    auth: AuthSettings = Field(default_factory=AuthSettings)
    limits: LimitSettings = Field(default_factory=LimitSettings)
    insights: InsightSettings = Field(default_factory=InsightSettings)
    review: ReviewSettings = Field(default_factory=ReviewSettings)
    alerts: AlertSettings = Field(default_factory=AlertSettings)
    oidc: OidcSettings = Field(default_factory=OidcSettings)
    annotation: AnnotationSettings = Field(default_factory=AnnotationSettings)
    data_dir: Path = Field(
        default=Path("../shared/data"),
        description="Folder with data for training recipes and evaluations only.",
    )

    @property
    def database_url(self) -> str:
        """URL of the database, with the default filled in."""
        return self.storage.database_url or f"sqlite:///{self.storage.folder / 'hearken.sqlite3'}"

    @property
    def candidates(self) -> int:
        """Replies sampled a turn, with the default of the back end filled in."""
        return self.model.candidates or (8 if self.model.url else 4)

    @property
    def secure_cookies(self) -> bool:
        """Whether browsers may send cookies over https only."""
        return self.server.public_url is not None and self.server.public_url.scheme == "https"


def load_settings() -> Settings:
    """Read and check all settings.

    Raises:
        SettingsError: With one line for each wrong variable: its name, the reason, what is allowed.
    """
    given, known = read_given(), variables()
    lines = faults(given, known)
    try:
        settings = Settings()
    except ValidationError as error:
        # A name that is told as unknown can be that of a whole group.
        unknown = set(given.names) - set(known)
        wrong = [one for one in error.errors() if _name(one) not in unknown]
        lines += dict.fromkeys(map(_describe, wrong))
    except (UnreadableError, UnicodeDecodeError, OSError):
        # A value for a whole group or a file that is no text; both are among the lines above.
        if not lines:
            raise
    else:
        if not lines:
            return settings
    raise SettingsError("\n".join(lines))


def variables() -> dict[str, tuple[str, str]]:
    """Name of each environment variable with its default and its description."""
    found: dict[str, tuple[str, str]] = {}
    for group, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            for name, inner in kind.model_fields.items():
                default = "" if inner.default is None else str(inner.default)
                found[f"HEARKEN_{group.upper()}__{name.upper()}"] = (default, inner.description or "")
        else:
            found[f"HEARKEN_{group.upper()}"] = (str(field.default), field.description or "")
    return found


def _field(loc: tuple[int | str, ...]) -> FieldInfo | None:
    """The setting at a place in the settings class, if there is one."""
    found: FieldInfo | None = None
    fields: Mapping[str, FieldInfo] = Settings.model_fields
    for part in loc[:2]:
        found = fields.get(str(part))
        kind = found and found.annotation
        fields = kind.model_fields if isinstance(kind, type) and issubclass(kind, BaseModel) else {}
    return found


def _name(error: ErrorDetails) -> str:
    """The variable that an error is about."""
    return "HEARKEN_" + "__".join(str(part).upper() for part in error["loc"][:2])


def _describe(error: ErrorDetails) -> str:
    """One line for one wrong variable; the value itself is left out, it may be a secret."""
    name = _name(error)
    allowed = variables().get(name, ("", ""))[1]
    return f"{name}: {reason(error, _field(error['loc']))}. {allowed}".rstrip()
