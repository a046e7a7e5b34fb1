"""The link checker finds dead links and lets living ones pass."""

from pathlib import Path

import pytest

from docs.check_links import ROOT, anchors, dead_links, targets


def write(folder: Path, **pages: str) -> Path:
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(
    "text",
    [
        "[x](b.md)",
        "[x](b.md#second-part)",
        "[x](b.md#second-part-1)",
        "[x](#own)\n\n# Own",
        "![picture](<b.md>)",
        '[x](b.md "title")',
        "[x][r]\n\n[r]: b.md",
        '<a href="b.md">x</a>',
        "[x](https://example.org/a_(b)?c=d)",
        "[x](tel:988)",
        "`[x](missing.md)`",
        "```\n[x](missing.md)\n```",
        "<!-- [x](missing.md) -->",
    ],
)
def test_a_living_link_passes(tmp_path: Path, text: str) -> None:
    root = write(tmp_path, a=text, b="# First\n\n## Second part\n\n## Second part")
    assert list(dead_links(root)) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[x](c.md)", "c.md leads to no file"),
        ("[x](b.md#third)", "b.md#third leads to no heading"),
        ("[x](#third)", "#third leads to no heading"),
        ("[x](../../etc/passwd)", "../../etc/passwd leaves the project"),
        ("[x][r]\n\n[r]: c.md", "c.md leads to no file"),
        ('<img src="c.png">', "c.png leads to no file"),
        ("[x](htps://example.org)", "htps://example.org has an unknown scheme"),
        ("[x](https:///path)", "https:///path names no host"),
        ("[x](//example.org)", "//example.org has no scheme"),
        ("[x](https://[)", "https://[ is no address"),
    ],
)
def test_a_dead_link_is_told_with_its_page_and_reason(tmp_path: Path, text: str, fault: str) -> None:
    root = write(tmp_path, a=text, b="# First")
    assert list(dead_links(root)) == [f"a.md: {fault}"]


def test_headings_are_spelt_like_code_hosts_do() -> None:
    assert anchors("# What's `new`?\n## A [link](b.md) & more") == {"whats-new", "a-link--more"}


def test_a_heading_in_a_code_block_is_no_anchor() -> None:
    assert anchors("```\n# Not one\n```\n# One") == {"one"}


def test_two_links_in_one_line_are_both_found() -> None:
    assert targets("[a](x.md) and [b](y.md)") == ["x.md", "y.md"]


def test_the_projects_own_pages_have_no_dead_link() -> None:
    assert list(dead_links(ROOT)) == []
