import type { ServerEvent } from "@aiplatform/client";
import { PlatformError } from "@aiplatform/client";
import { useEffect, useRef, useState } from "react";
import { backoffMs } from "./backoff.ts";
import { useIsReconnecting } from "./stream-connection.ts";

/** How a stream stands: being opened, open, broken off and being opened again, ended by the platform, or refused. */
export type StreamState = "connecting" | "live" | "reconnecting" | "ended" | "refused";

interface EventSourceOptions<T> {
  /** Another key is another stream. Undefined: none yet. */
  key: string | undefined;
  /** Asks for the stream from where the page is, so that nothing is missed and nothing comes twice. */
  open: (signal: AbortSignal) => AsyncGenerator<ServerEvent<T>, void, undefined>;
  onEvent: (data: T) => void;
}

/** A tab that is hidden for so long gives its connection back: a browser has six for each origin. */
const hiddenMs = 20_000;

/** Follows a stream for as long as the component is there and the tab is seen. */
export function useEvents<T>({ key, open, onEvent }: EventSourceOptions<T>): StreamState {
  const [state, setState] = useState<StreamState>("connecting");
  const latest = useRef({ open, onEvent });
  latest.current = { open, onEvent };
  const isSeen = useIsSeen();
  useEffect(() => {
    if (key === undefined || !isSeen) return;
    const stop = new AbortController();
    void follow(latest, stop.signal, setState);
    return () => stop.abort();
  }, [key, isSeen]);
  const isReconnecting = useIsReconnecting();
  return state === "live" && isReconnecting ? "reconnecting" : state;
}

async function follow<T>(
  latest: { readonly current: Pick<EventSourceOptions<T>, "open" | "onEvent"> },
  signal: AbortSignal,
  setState: (state: StreamState) => void,
): Promise<void> {
  setState("connecting");
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      for await (const { data } of latest.current.open(signal)) {
        if (signal.aborted) return;
        failures = 0;
        setState("live");
        latest.current.onEvent(data);
      }
      if (!signal.aborted) setState("ended");
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof PlatformError && error.status < 500 && error.status !== 429) return setState("refused");
      setState("reconnecting");
    }
    await pause(backoffMs(failures), signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

/** Whether the tab is shown, or was a moment ago. */
function useIsSeen(): boolean {
  const [isSeen, setIsSeen] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setIsSeen(false), hiddenMs);
      else setIsSeen(true);
    };
    // Also at the beginning: a page may be opened in a tab that is not shown.
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return isSeen;
}
