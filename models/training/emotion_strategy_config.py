"""Settings of the recipe for the emotion and the strategy head."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from models.training.network import TrainingPlan

Feature = Literal["text", "context", "place", "numbers"]


class Trial(BaseModel):
    """One way to train a head; cross-validation inside the training split picks one of several.

    Attributes:
        name: How the results call it.
        class_weight: a of the weight (mean count / count)^a of a class; 0 weighs all rows alike.
        smoothing: Share of each target that is spread over all classes.
        features: Inputs beside each other; emotions know ``text`` only.
        words: Share of the classifier on word n-grams in the averaged log probabilities; 0 leaves it out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    hidden: int = Field(default=512, ge=8, le=4096)
    epochs: int = Field(default=12, ge=1, le=200)
    batch: int = Field(default=256, ge=8)
    learning_rate: float = Field(default=1e-3, gt=0)
    weight_decay: float = Field(default=1e-2, ge=0)
    input_dropout: float = Field(default=0.1, ge=0, lt=1)
    hidden_dropout: float = Field(default=0.4, ge=0, lt=1)
    class_weight: float = Field(default=0.0, ge=0, le=1)
    smoothing: float = Field(default=0.0, ge=0, lt=1)
    features: tuple[Feature, ...] = ("text",)
    words: float = Field(default=0.0, ge=0, le=1)

    def plan(self, seed: int) -> TrainingPlan:
        """The trial as a training plan."""
        return TrainingPlan(
            self.hidden,
            self.epochs,
            self.learning_rate,
            self.weight_decay,
            self.input_dropout,
            self.hidden_dropout,
            seed,
        )


class HeadConfig(BaseModel):
    """How one head is chosen and trained.

    Attributes:
        networks: Networks of different seeds whose mean is the head.
        folds: Parts of the training split for the choice among the trials.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    networks: int = Field(default=3, ge=1, le=20)
    folds: int = Field(default=3, ge=2, le=20)
    trials: tuple[Trial, ...] = Field(min_length=1)

    @field_validator("trials")
    @classmethod
    def _different_names(cls, trials: tuple[Trial, ...]) -> tuple[Trial, ...]:
        if len({trial.name for trial in trials}) != len(trials):
            raise ValueError("two trials have the same name")
        return trials


class Together(BaseModel):
    """Training of both heads on one hidden layer.

    Attributes:
        mixing_exponent: a of p ∝ n^a; see :mod:`models.training.task_mixing`.
        trial: Hyperparameters; classes are weighted within their task.
        networks: Networks whose mean is measured, together and alone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mixing_exponent: float = Field(default=0.5, ge=0, le=1)
    steps: int = Field(default=2400, ge=1)
    networks: int = Field(default=1, ge=1, le=20)
    trial: Trial


class EmotionStrategyConfig(BaseModel):
    """The whole recipe.

    Attributes:
        precision: Share of confident readings that must be right; sets from which probability a reading
            counts as confident.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0
    precision: float = Field(default=0.8, gt=0, lt=1)
    emotion: HeadConfig
    strategy: HeadConfig
    together: Together
