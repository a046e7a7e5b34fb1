"""All tables together: the one import that fills the metadata for migrations and walks."""

from sqlalchemy import MetaData

from app.db import (
    annotation_tables,
    insights_tables,
    memory_tables,
    review_tables,
    staff_tables,
    tables,
    upkeep_tables,
)
from app.db.base import Base

__all__ = [
    "METADATA",
    "annotation_tables",
    "insights_tables",
    "memory_tables",
    "review_tables",
    "staff_tables",
    "tables",
    "upkeep_tables",
]

METADATA: MetaData = Base.metadata
