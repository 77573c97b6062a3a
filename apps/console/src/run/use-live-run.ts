import { answerOf } from "@aiplatform/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { type LiveRun, readLiveRun, readSeries } from "../api/live-run.ts";
import { type JobAddress, type LiveMetrics, platform, streams } from "../api/platform.ts";
import { type StreamState, useEvents } from "../api/use-events.ts";
import { SeriesStore } from "./curves/series-store.ts";

/** Points of each metric that are read at the beginning, and with each event. */
const maxPoints = 5_000;
/** The page shows what is new so often at most, ms; curves are drawn by themselves. */
const renderMs = 200;

/** A job as it stands, and its curves. */
export interface LiveJob {
  live: LiveRun | undefined;
  store: SeriesStore;
  stream: StreamState;
  error: unknown;
}

/**
 * Follows a job: first everything, also what was archived, then what is new. After an interruption the stream goes on after the last
 * sequence that came, so that no point is missed.
 */
export function useLiveRun({ pipeline_id, run_id, job_name }: JobAddress): LiveJob {
  const [store] = useState(() => new SeriesStore());
  const [head, show] = useThrottled<LiveRun>();
  const [error, setError] = useState<unknown>();
  const sequence = useRef<number | undefined>(undefined);
  const archivedEnds = useRef("");
  const take = useCallback(
    (message: LiveMetrics) => {
      sequence.current = message.sequence;
      const live = readLiveRun(message);
      const ends = live.segments.map(({ archived_from_step: step }) => step).join();
      show(live);
      store.add(readSeries(message));
      if (ends !== archivedEnds.current) store.redraw();
      archivedEnds.current = ends;
    },
    [store, show],
  );
  const path = { pipeline_id, run_id };
  const stream = useEvents<LiveMetrics>({
    key: `${run_id} ${job_name}`,
    open: async function* (signal) {
      try {
        if (sequence.current === undefined) {
          const query = { job_name, include_archived: true, max_points: maxPoints };
          const whole = await platform.GET("/pipelines/{pipeline_id}/runs/{run_id}/metrics/", {
            params: { path, query },
            signal,
          });
          take(answerOf(whole));
        }
        setError(undefined);
        const query = { job_name, max_points: maxPoints, after_sequence: sequence.current ?? 0 };
        yield* streams.events(
          "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream",
          { path, query },
          signal,
        );
      } catch (failure) {
        if (!signal.aborted) setError(failure);
        throw failure;
      }
    },
    onEvent: take,
  });
  return { live: head, store, stream, error };
}

/** The newest value, shown at once and then every 200 ms at most. */
function useThrottled<T>(): [T | undefined, (value: T) => void] {
  const [shown, setShown] = useState<T>();
  const newest = useRef<T>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = useCallback((value: T) => {
    newest.current = value;
    if (timer.current !== undefined) return;
    setShown(value);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      setShown(newest.current);
    }, renderMs);
  }, []);
  return [shown, show];
}
