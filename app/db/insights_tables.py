"""The table of figures by day; nothing in it points to anybody, so no deletion reaches it."""

from sqlalchemy import BigInteger, Float, Index, Integer
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base
from app.db.types import StorableString


class DailyFigureRow(Base):
    """One figure of one day (UTC), by part, model and language.

    ``basis`` is how many things the row was made from; a row with too small a basis is never shown.
    ``week`` is the Monday of the day's week.
    """

    __tablename__ = "daily_figures"
    __table_args__ = (Index(None, "figure", "model", "language"),)

    day: Mapped[str] = mapped_column(StorableString(10), primary_key=True)
    figure: Mapped[str] = mapped_column(StorableString(24), primary_key=True)
    part: Mapped[str] = mapped_column(StorableString(64), primary_key=True)
    model: Mapped[str] = mapped_column(StorableString(200), primary_key=True)
    language: Mapped[str] = mapped_column(StorableString(16), primary_key=True)
    week: Mapped[str] = mapped_column(StorableString(10))
    count: Mapped[int] = mapped_column(BigInteger)
    amount: Mapped[float] = mapped_column(Float)
    basis: Mapped[int] = mapped_column(Integer)
