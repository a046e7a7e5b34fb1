"""The frame around Gradio's document."""

import json
import re
from importlib import resources

import pytest

from app.ui.kept_help import KeptHelp
from app.ui.shell import Shell, ShellMarkerError
from app.ui.texts import load_texts

TEXTS = load_texts()
DOCUMENT = """<!doctype html><html
	lang="en" style="margin: 0"><head><meta property="og:title" content="Gradio" />
<meta name="twitter:creator" content="@Gradio" /></head>
<body><gradio-app embed="false">
</gradio-app><script>1</script></body></html>"""


def _shell(exit_url: str | None = None) -> Shell:
    return Shell(TEXTS, max_message_chars=4000, exit_url=exit_url, help_for=_help_for)


def _help_for(accept_language: str | None) -> KeptHelp:
    return {"en": {"menu": f"<p>lines for {accept_language}</p>", "steps": ""}}


def test_help_for_the_browsers_country_comes_with_the_page() -> None:
    framed = _shell().around(DOCUMENT, "en", "en-GB")

    found = re.search(r'id="hk-kept-help">(.*?)</script>', framed, re.DOTALL)

    assert found is not None
    assert json.loads(found[1])["en"]["menu"] == "<p>lines for en-GB</p>"


def test_the_frame_stands_around_gradio() -> None:
    framed = _shell().around(DOCUMENT, "en")

    assert framed.index("hk-head") < framed.index("<gradio-app") < framed.index("hk-composer")


def test_the_document_is_in_the_language_of_the_frame() -> None:
    framed = _shell().around(DOCUMENT, "zh")

    assert '<html lang="zh-Hans" data-locale="zh" class="hk"' in framed
    assert "你在想些什么？" in framed


def test_gradios_advertisement_is_gone() -> None:
    framed = _shell().around(DOCUMENT, "en")

    assert "og:" not in framed
    assert "twitter:" not in framed


def test_the_title_is_there_before_any_script() -> None:
    assert "<title>Hearken</title>" in _shell().around(DOCUMENT, "en")


def test_the_quick_exit_leads_to_a_neutral_page() -> None:
    assert 'href="https://www.wikipedia.org/"' in _shell().around(DOCUMENT, "en")


def test_an_operator_chooses_where_the_quick_exit_leads() -> None:
    framed = _shell("https://weather.example/?a=1&b=2").around(DOCUMENT, "zh")

    assert 'href="https://weather.example/?a=1&amp;b=2"' in framed


def test_no_text_of_the_frame_is_missing() -> None:
    framed = _shell().around(DOCUMENT, "en")

    assert re.findall(r'data-text="[^"]+"[^>]*></', framed) == []


@pytest.mark.parametrize("name", ["shell.html", "conversation.html"])
def test_every_text_that_a_page_names_exists(name: str) -> None:
    html = resources.files("app.ui").joinpath(name).read_text("utf-8")
    keys = re.findall(r'data-(?:text|label|title|placeholder|href)="([^"]+)"', html)

    assert [key for key in keys if not TEXTS["en"].has(key)] == []


def test_every_text_that_a_script_names_exists() -> None:
    scripts = resources.files("app").joinpath("../static/js")
    keys = {
        key
        for script in scripts.iterdir()
        for key in re.findall(r'\bt\("([a-z_.]+)"', script.read_text("utf-8"))
    }

    assert {key for key in keys if not TEXTS["en"].has(key)} == set()


def test_texts_for_the_script_cannot_end_their_element() -> None:
    texts = {"en": type(TEXTS["en"])("en", {**TEXTS["en"].entries, "page.title": "</script><b>"})}
    framed = Shell(texts, max_message_chars=10, exit_url=None, help_for=_help_for).around(DOCUMENT, "en")

    found = re.search(r'id="hk-texts">(.*?)</script>', framed, re.DOTALL)

    assert found is not None
    assert json.loads(found[1])["en"]["page.title"] == "</script><b>"


def test_an_unknown_document_is_told() -> None:
    with pytest.raises(ShellMarkerError):
        _shell().around("<html><body>new Gradio</body></html>", "en")
