"""The compose file keeps the model server, the database and the app off every public network."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.settings import variables

DEPLOY = Path(__file__).parents[3] / "deploy"
TEXT = (DEPLOY / "compose.yaml").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def example_variables() -> dict[str, str]:
    lines = (DEPLOY / "compose.env.example").read_text("utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("service", ["app", "vllm", "postgres"])
def test_an_inner_service_publishes_no_port(service: str) -> None:
    assert "ports" not in SERVICES[service]


@pytest.mark.parametrize("service", ["app", "vllm", "postgres"])
def test_an_inner_service_is_on_internal_networks_only(service: str) -> None:
    assert [name for name in SERVICES[service]["networks"] if not COMPOSE["networks"][name]["internal"]] == []


def test_people_reach_the_app_through_the_proxy_only() -> None:
    on_front = {name for name, service in SERVICES.items() if "front" in service["networks"]}
    assert on_front == {"app", "proxy"}


def test_only_loopback_reaches_prometheus() -> None:
    assert SERVICES["prometheus"]["ports"] == ["127.0.0.1:9090:9090"]


def test_the_model_server_and_the_app_share_one_key() -> None:
    assert (
        SERVICES["vllm"]["environment"]["VLLM_API_KEY"]
        == SERVICES["app"]["environment"]["HEARKEN_MODEL__API_KEY"]
    )


def test_the_model_server_demands_its_key() -> None:
    script = (DEPLOY / "serve-vllm.sh").read_text("utf-8")
    assert '--api-key "$VLLM_API_KEY"' in script
    assert ": ${VLLM_API_KEY:?" in script.replace('"', "")


def test_the_model_server_listens_on_loopback_unless_told_otherwise() -> None:
    assert '--host "${VLLM_HOST:-127.0.0.1}"' in (DEPLOY / "serve-vllm.sh").read_text("utf-8")


def test_every_variable_is_in_the_example_file() -> None:
    assert set(re.findall(r"\$\{([A-Z_]+)", TEXT)) == set(example_variables())


def test_no_secret_has_a_value_in_the_repository() -> None:
    secrets = {name for name in example_variables() if re.search("KEY|PASSWORD|TOKEN", name)}
    assert {name: example_variables()[name] for name in secrets} == dict.fromkeys(secrets, "")


def test_a_missing_secret_stops_the_start() -> None:
    uses = re.findall(r"\$\{([A-Z_]*(?:KEY|PASSWORD|TOKEN))(:\?)?", TEXT)
    assert uses
    assert [name for name, required in uses if not required] == []


def test_the_app_is_given_settings_that_exist() -> None:
    given = {name for name in SERVICES["app"]["environment"] if name.startswith("HEARKEN_")}
    assert given <= set(variables())


@pytest.mark.parametrize("service", sorted(set(SERVICES) - {"app"}))
def test_a_foreign_image_has_a_version(service: str) -> None:
    _, _, tag = SERVICES[service]["image"].partition(":")
    assert re.search(r"\d", tag)


def test_volumes_networks_and_mounted_files_exist() -> None:
    for service in SERVICES.values():
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith(".") else source in COMPOSE["volumes"]
        assert set(service["networks"]) <= set(COMPOSE["networks"])


def test_the_app_waits_for_the_database_but_not_for_the_model() -> None:
    assert SERVICES["app"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}


def test_the_app_runs_without_rights_it_does_not_need() -> None:
    app = SERVICES["app"]
    assert app["read_only"] is True
    assert app["cap_drop"] == ["ALL"]
    assert app["security_opt"] == ["no-new-privileges:true"]


def test_the_proxy_hides_metrics_and_readiness() -> None:
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    assert re.search(r"@private path .*/metrics .*/readyz\n\s*respond @private 404", text)


def test_prometheus_reads_the_app_with_its_token_and_the_model_server() -> None:
    jobs = {
        job["job_name"]: job
        for job in yaml.safe_load((DEPLOY / "prometheus.yml").read_text("utf-8"))["scrape_configs"]
    }
    assert jobs["hearken"]["authorization"] == {"credentials_file": "/run/secrets/metrics_token"}
    assert jobs["vllm"]["static_configs"] == [{"targets": ["vllm:8000"]}]
