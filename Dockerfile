# Two images from one file:
#   docker build -t hearken .                        with the embedded model: runs alone, no GPU
#   docker build -t hearken-slim --target slim .     without it: answers come from a vLLM server
# Pip takes its own settings as build arguments; PIP_EXTRA_INDEX_URL with the address of PyTorch's CPU builds
# keeps the GPU libraries (several GB) out of the image. See docs/operators.md.
FROM python:3.11-slim-bookworm AS base
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    GRADIO_ANALYTICS_ENABLED=False \
    HF_HUB_DISABLE_TELEMETRY=1 \
    OMP_WAIT_POLICY=PASSIVE

FROM base AS packages
ARG PIP_EXTRA_INDEX_URL=""
ARG PIP_FIND_LINKS=""
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH
WORKDIR /build
COPY pyproject.toml ./
COPY requirements ./requirements
RUN python requirements/declared.py postgres > declared.txt \
    && python -m pip install --no-cache-dir -c requirements/constraints.txt pip setuptools \
    && python -m pip install --no-cache-dir -c requirements/constraints.txt torch \
    && python -m pip install --no-cache-dir -c requirements/constraints.txt -r declared.txt

FROM packages AS packages-embedded
RUN python requirements/declared.py local > declared.txt \
    && python -m pip install --no-cache-dir -c requirements/constraints.txt -r declared.txt \
    && python -m pip install --no-cache-dir --no-deps -r requirements/embedded.txt

FROM base AS runtime
RUN groupadd --gid 10001 hearken \
    && useradd --uid 10001 --gid hearken --create-home --shell /usr/sbin/nologin hearken \
    && install --directory --owner hearken --group hearken --mode 0700 /data
WORKDIR /srv/hearken
COPY alembic.ini app.py ./
COPY app ./app
COPY models ./models
COPY safety ./safety
COPY migrations ./migrations
COPY static ./static
ENV PATH=/opt/venv/bin:$PATH \
    HEARKEN_SERVER__HOST=0.0.0.0 \
    HEARKEN_STORAGE__FOLDER=/data
USER 10001:10001
VOLUME /data
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s --retries=3 \
    CMD ["python", "-m", "app.healthcheck"]
CMD ["python", "app.py"]

FROM runtime AS slim
COPY --from=packages /opt/venv /opt/venv

FROM runtime AS embedded
COPY --from=packages-embedded /opt/venv /opt/venv
