"""The tasks of a reader: what is read, from which texts it is learned, and by which loss."""

import numpy as np
import torch
import torch.nn.functional as F

from models.training.reader_batches import Ints, at_random, by_context
from models.training.reader_data import ReaderData
from models.training.reader_fit import ReaderPlan, Task
from models.training.reader_losses import RatingScale, carried_loss, ratings_loss, tags_loss
from models.training.reader_model import Read
from models.training.reader_parts import class_names

RATED = 6
"""Ratings that are learned; the aggregate follows from them."""
FEELINGS = 0.5
"""Weight of the feelings, beside the kind."""
ORDER = 0.5
"""Weight of the order of sentences, beside their verdicts."""


def mint_task(
    data: ReaderData, texts: Ints, plan: ReaderPlan, device: torch.device
) -> tuple[Task, RatingScale]:
    """Ratings and tactics of each reply, and tactics of each of its sentences.

    Returns:
        The task, with ratings first among a text's outputs, and the scale that turns these into ratings.
    """
    ratings = data.arrays["ratings"][:, :RATED]
    scale = RatingScale.of(ratings[texts], device)
    truth = torch.tensor(ratings, device=device)
    context = torch.tensor(data.arrays["context"], device=device)
    carried = torch.tensor(data.arrays["carried"], dtype=torch.float32, device=device)
    tags = torch.tensor(data.arrays["tags"], dtype=torch.float32, device=device)
    kept = torch.tensor(data.arrays["aligned"] & data.arrays["counted"], dtype=torch.float32, device=device)

    def batches(rng: np.random.Generator) -> list[Ints]:
        return by_context(data.arrays["context"], texts, plan.contexts, rng)

    def loss(read: Read, own: Ints) -> torch.Tensor:
        replies = torch.tensor(own, device=device)
        rows = torch.tensor(data.rows(own), device=device)
        rated = ratings_loss(read.texts[:, :RATED], truth[replies], context[replies], scale)
        whole = carried_loss(read.texts[:, RATED:], carried[replies])
        return rated + whole + tags_loss(read.places, tags[rows], kept[rows])

    return Task(RATED + carried.shape[1], tags.shape[1], batches, loss), scale


def strategies_task(data: ReaderData, texts: Ints, plan: ReaderPlan, device: torch.device) -> Task:
    """The strategy of each supporter's turn."""
    label = torch.tensor(data.arrays["label"], device=device)

    def batches(rng: np.random.Generator) -> list[Ints]:
        return at_random(data, texts, plan.tokens, rng)

    def loss(read: Read, own: Ints) -> torch.Tensor:
        rows = torch.tensor(data.rows(own), device=device)
        return F.cross_entropy(read.places, label[rows], label_smoothing=plan.smoothing)

    return Task(0, len(class_names(data)), batches, loss)


def kinds_task(data: ReaderData, texts: Ints, plan: ReaderPlan, device: torch.device) -> Task:
    """The kind of each message, and which feelings it surely voices."""
    label = torch.tensor(data.arrays["label"], device=device)
    marks = torch.tensor(data.arrays["marks"], device=device)
    kinds = len(class_names(data))

    def batches(rng: np.random.Generator) -> list[Ints]:
        return at_random(data, texts, plan.tokens, rng)

    def loss(read: Read, own: Ints) -> torch.Tensor:
        rows = torch.tensor(data.rows(own), device=device)
        told = F.cross_entropy(read.places[:, :kinds], label[rows], label_smoothing=plan.smoothing)
        # Summed over the feelings, of which a message has one or two.
        felt = F.binary_cross_entropy_with_logits(read.places[:, kinds:], marks[rows], reduction="none")
        return told + FEELINGS * felt.sum(dim=1).mean()

    return Task(0, kinds + marks.shape[1], batches, loss)


def answers_task(data: ReaderData, texts: Ints, plan: ReaderPlan, device: torch.device) -> Task:
    """The verdict of each first sentence, and which of two sentences to one message has the better one."""
    label = torch.tensor(data.arrays["label"], device=device)
    message = torch.tensor(data.arrays["conversation"], device=device)

    def batches(rng: np.random.Generator) -> list[Ints]:
        return by_context(data.arrays["conversation"], texts, plan.contexts, rng)

    def loss(read: Read, own: Ints) -> torch.Tensor:
        rows = torch.tensor(data.rows(own), device=device)
        verdicts = F.cross_entropy(read.places, label[rows], label_smoothing=plan.smoothing)
        worth = read.places[:, -1] - read.places[:, 0]
        better = (label[rows][:, None] > label[rows][None, :]) & (
            message[rows][:, None] == message[rows][None, :]
        )
        if not better.any():
            return verdicts
        return verdicts + ORDER * F.softplus(worth[None, :] - worth[:, None])[better].mean()

    return Task(0, len(class_names(data)), batches, loss)
