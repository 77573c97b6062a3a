import { useSyncExternalStore } from "react";
import { durationText, relativeText } from "./time-text.ts";

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all ages on the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // It stood still since the last listener left.
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time now, ms since 1970; renders its component again each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** A time as its age; hovering shows it in the viewer's zone and in UTC. */
export function Time({ at }: { at: string | null | undefined }) {
  // Of the clock only its ticks: what has just happened would be ahead of its last one.
  useNow();
  if (!at) return <span className="muted">–</span>;
  const date = new Date(at);
  return (
    <time
      dateTime={at}
      title={`${local.format(date)}\n${at.replace("T", " ").replace(/\.\d+Z$|Z$/, " UTC")}`}
      className="nowrap"
    >
      {relativeText(date.getTime(), Date.now())}
    </time>
  );
}

/** A duration in seconds, such as `3 min 20 s`. */
export function Duration({ seconds }: { seconds: number }) {
  return <span className="number nowrap">{durationText(seconds)}</span>;
}
