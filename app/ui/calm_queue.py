"""Gradio's event queue without its restlessness.

Left alone, each mounted page polls its queue a thousand times a second (6 % of a core while nobody
is there) and, after every event, sums up all events of the server with pandas.
"""

import os

import gradio as gr

_LOOK_EVERY_S = 0.005
_PROGRESS_EVERY_S = 0.25


def calm_queue(page: gr.Blocks, events_at_once: int) -> None:
    """Give ``page`` its queue; call it when the page has all its events, before it is mounted.

    Args:
        page: Blocks about to be mounted.
        events_at_once: Events of all visitors together that may run at the same time.
    """
    os.environ.setdefault("GRADIO_ANALYTICS_MAX_EVENTS", "1")
    os.environ.setdefault("GRADIO_ANALYTICS_CACHE_FREQUENCY", str(10**9))
    page.max_threads = events_at_once
    page.queue(default_concurrency_limit=None, api_open=False)
    queue = page._queue  # pyright: ignore[reportPrivateUsage]
    queue.sleep_when_free = _LOOK_EVERY_S
    queue.progress_update_sleep_when_free = _PROGRESS_EVERY_S
