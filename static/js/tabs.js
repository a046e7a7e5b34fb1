// The other tabs of this browser hear that the list of conversations has changed, and of which: no word of it.
// Nothing is stored, and the server is asked for the rest.
const line = "BroadcastChannel" in window ? new BroadcastChannel("hearken.list") : null;

export function tell(conversation = null) {
  line?.postMessage(conversation);
}

export function onTold(hear) {
  line?.addEventListener("message", ({ data }) => hear(data));
}
