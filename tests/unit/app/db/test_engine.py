import pytest

from app.db.engine import create_engine, normalise_url


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("sqlite:///var/hearken.sqlite3", "sqlite+aiosqlite:///var/hearken.sqlite3"),
        ("sqlite+aiosqlite:///x.db", "sqlite+aiosqlite:///x.db"),
        ("postgres://u:p@h:5432/n", "postgresql+asyncpg://u:p@h:5432/n"),
        ("postgresql://u:p@h/n", "postgresql+asyncpg://u:p@h/n"),
        ("postgresql+asyncpg://u:p@h/n", "postgresql+asyncpg://u:p@h/n"),
        ("postgresql://u:p@h/n?sslmode=require", "postgresql+asyncpg://u:p@h/n?ssl=require"),
        ("postgresql://u@/n?host=/run/pg", "postgresql+asyncpg://u@/n?host=%2Frun%2Fpg"),
        ("postgresql://u:p%40ss@h/n", "postgresql+asyncpg://u:p%40ss@h/n"),
    ],
)
def test_usual_addresses_get_the_driver_used_here(given: str, used: str) -> None:
    assert normalise_url(given).render_as_string(hide_password=False) == used


@pytest.mark.parametrize("given", ["sqlite:///a.db", "postgres://u:p@h/n?sslmode=prefer"])
def test_normalising_twice_changes_nothing(given: str) -> None:
    once = normalise_url(given)
    assert normalise_url(once) == once


@pytest.mark.parametrize("given", ["mysql://u:p@h/n", "postgresql+psycopg://u:p@h/n", "oracle://h"])
def test_other_databases_are_refused_by_name(given: str) -> None:
    with pytest.raises(ValueError, match=given.split(":")[0].replace("+", r"\+")):
        normalise_url(given)


@pytest.mark.parametrize("given", ["", "no address", "postgresql://u:secret@h:port/n"])
def test_an_address_that_can_not_be_read_is_not_repeated(given: str) -> None:
    with pytest.raises(ValueError, match=r"^the database address can't be read$"):
        normalise_url(given)


def test_an_engine_connects_to_nothing_when_it_is_made() -> None:
    assert create_engine("postgresql://u:p@nowhere.invalid/n").dialect.driver == "asyncpg"
