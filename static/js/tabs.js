// The other tabs of this browser hear which conversation changed, and whether by a turn: no word of it.
// Nothing is stored, and the server is asked for the rest.
const line = "BroadcastChannel" in window ? new BroadcastChannel("hearken.list") : null;

export function tell(conversation = null, { turn = false } = {}) {
  line?.postMessage({ conversation, turn });
}

export function onTold(hear) {
  line?.addEventListener("message", ({ data }) => hear(data));
}
