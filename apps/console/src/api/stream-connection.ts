import type { StreamConnectionState } from "@aiplatform/client";
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let state: StreamConnectionState = "live";

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How the connection stands that the streams of the tab share. */
export const streamConnection = {
  set(next: StreamConnectionState): void {
    if (state === next) return;
    state = next;
    for (const listener of listeners) listener();
  },
};

/** Whether the connection of the streams is broken, and is being opened again. */
export function useIsReconnecting(): boolean {
  return useSyncExternalStore(subscribe, () => state) === "reconnecting";
}
