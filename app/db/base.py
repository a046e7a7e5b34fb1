"""The declarative base: constraint names, and the few column shapes that all tables share."""

from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, MetaData
from sqlalchemy.orm import DeclarativeBase, MappedColumn, mapped_column

from app.db.types import Identifier, new_id

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Base of all tables; every constraint gets a name, so that migrations can change it."""

    metadata = MetaData(naming_convention=NAMING)


def primary_key() -> MappedColumn[str]:
    """A server-made UUID."""
    return mapped_column(Identifier, primary_key=True, default=new_id)


def owned_by(target: str, *, index: bool = False) -> MappedColumn[str]:
    """A reference whose row goes when the row it belongs to goes."""
    return mapped_column(Identifier, ForeignKey(target, ondelete="CASCADE"), index=index)


def one_of(column: str, kind: type[StrEnum]) -> CheckConstraint:
    """A CHECK that a text column holds a member of an enumeration."""
    members = ", ".join(f"'{member.value}'" for member in kind)
    return CheckConstraint(f"{column} IN ({members})", name=f"{column}_known")


def level_range(column: str) -> CheckConstraint:
    """A CHECK that a column holds the number of a risk level."""
    return CheckConstraint(f"{column} BETWEEN 0 AND 3", name=f"{column}_known")
