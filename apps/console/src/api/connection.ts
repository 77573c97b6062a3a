import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let downSince: number | undefined;

function set(value: number | undefined): void {
  if (downSince === value) return;
  downSince = value;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the platform answers. */
export const connection = {
  up: () => set(undefined),
  down: () => set(downSince ?? Date.now()),
};

/** Since when the platform has not answered, ms since 1970; undefined while it does. */
export function useDownSince(): number | undefined {
  return useSyncExternalStore(subscribe, () => downSince);
}
