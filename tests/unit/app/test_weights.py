from app.settings import RerankSettings
from models.ecot_choice import DEFAULT_THRESHOLD
from models.rerank import RerankWeights


def test_without_settings_the_reranker_weighs_as_it_was_measured() -> None:
    chosen, measured = RerankSettings(), RerankWeights()
    assert chosen.quality == measured.quality
    assert chosen.novelty == measured.novelty
    assert chosen.reuse == measured.reuse
    assert chosen.repetition == measured.repetition
    assert chosen.opening == measured.opening
    assert chosen.restated == measured.restated
    assert chosen.conversation == measured.conversation
    assert chosen.decay == measured.decay
    assert chosen.premature == measured.premature
    assert chosen.validation == measured.validation
    assert chosen.missed == measured.missed
    assert chosen.guidance == measured.guidance
    assert chosen.form == measured.form
    assert chosen.form_threshold == DEFAULT_THRESHOLD
    assert chosen.max_quality_loss == measured.max_quality_loss
