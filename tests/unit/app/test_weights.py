from dataclasses import fields

from app.main import reranker_weights
from app.settings import RerankSettings, Settings
from models.ecot_choice import DEFAULT_THRESHOLD
from models.rerank import TERMS, RerankWeights


def test_without_settings_the_reranker_weighs_as_it_was_measured() -> None:
    chosen, measured = RerankSettings(), RerankWeights()
    shared = {field.name for field in fields(RerankWeights)} & set(RerankSettings.model_fields)
    assert {name: getattr(chosen, name) for name in shared} == {
        name: getattr(measured, name) for name in shared
    }
    assert chosen.form_threshold == DEFAULT_THRESHOLD


def test_every_term_has_a_setting() -> None:
    only_by_style = {"length"}
    assert set(TERMS) - only_by_style | {"quality", "decay", "form", "max_quality_loss"} <= set(
        RerankSettings.model_fields
    )


def test_a_setting_reaches_the_reranker() -> None:
    settings = Settings(rerank=RerankSettings(tone=0.7, generic=0.3, max_quality_loss=0.2))
    weights = reranker_weights(settings)
    assert (weights.tone, weights.generic, weights.max_quality_loss) == (0.7, 0.3, 0.2)
