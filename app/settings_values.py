"""Kinds of values that are checked before the start: paths that must lead somewhere, countries."""

import re
import zipfile
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, HttpUrl

_OLD_TORCH = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"
"""How files of PyTorch begin that are no archives: its magic number as a pickle."""


def _file(path: Path) -> Path:
    _require(path.is_file(), "names a file that is not there or can't be read")
    return path


def _folder(path: Path) -> Path:
    _require(path.is_dir(), "names a folder that is not there or can't be read")
    return path


def _model(path: Path) -> Path:
    _require((_folder(path) / "config.json").is_file(), "names a folder without a model (config.json)")
    return path


def _adapter(chosen: Path | str) -> Path | str:
    if chosen in ("default", "none"):
        return chosen
    _require(
        Path(chosen, "adapter_config.json").is_file(),
        "must be default, none or a folder with an adapter (adapter_config.json)",
    )
    return chosen


def _country(code: str) -> str:
    _require(re.fullmatch("[A-Z]{2}", code) is not None, "must be two capital letters, such as GB")
    return code


def _weights(path: Path) -> Path:
    """A file of PyTorch by its look only: reading hundreds of megabytes would hold up the start."""
    holds = False
    try:
        if zipfile.is_zipfile(_file(path)):
            with zipfile.ZipFile(path) as archive:
                holds = any(name.endswith("/data.pkl") for name in archive.namelist())
        else:
            with path.open("rb") as file:
                holds = file.read(len(_OLD_TORCH)) == _OLD_TORCH
    except (OSError, zipfile.BadZipFile):
        holds = False
    _require(holds, "names a file that holds no weights of PyTorch")
    return path


def _require(holds: bool, wrong: str) -> None:
    if not holds:
        raise ValueError(wrong)


CountryCode = Annotated[str, AfterValidator(_country)]
ExistingFile = Annotated[Path, AfterValidator(_file)]
ExistingFolder = Annotated[Path, AfterValidator(_folder)]
TorchFile = Annotated[Path, AfterValidator(_weights)]
ModelFolder = Annotated[Path, AfterValidator(_model)]
AdapterFolder = Annotated[Path | Literal["default", "none"], AfterValidator(_adapter)]


def _webhook(value: HttpUrl) -> HttpUrl:
    """Refuse addresses that give secrets away or lead to where no webhook can be."""
    plain = not (value.username or value.password or value.fragment)
    _require(plain, "must have no user name, password or fragment")
    host = (value.host or "").strip("[]")
    try:
        address = ip_address(host)
    except ValueError:
        inside = "." not in host or host.endswith((".internal", ".local", ".localhost"))
    else:
        nowhere = address.is_link_local or address.is_multicast or address.is_unspecified
        _require(not nowhere, "must be the address of a server of yours")
        inside = address.is_private or address.is_loopback
    _require(value.scheme == "https" or inside, "must begin with https:// outside a private network")
    return value


WebhookUrl = Annotated[HttpUrl, AfterValidator(_webhook)]
"""Where notices are posted to."""


def _site(value: HttpUrl) -> HttpUrl:
    """The app serves at the root of its host; links that it writes begin with this address."""
    plain = not (value.username or value.password or value.query or value.fragment)
    _require(
        plain and value.path in (None, "", "/"),
        "must be an address without a path, user name, query or fragment: Hearken serves at / of its host",
    )
    return value


SiteUrl = Annotated[HttpUrl, AfterValidator(_site)]
"""Where people find the app."""
