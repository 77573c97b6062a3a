import { useCallback, useEffect, useRef } from "react";
import { type LiveMetrics, streams } from "../api/platform.ts";
import { useEvents } from "../api/use-events.ts";

/** Pause between two looks at a comparison, ms: it is larger than the points that are new. */
const pauseMs = 2_000;

interface RunNewsProps {
  pipelineId: string;
  runId: string;
  /** Called when the run has new points or another state. */
  onNews: () => void;
}

/** Follows a run without showing anything. */
export function RunNews({ pipelineId, runId, onNews }: RunNewsProps) {
  const known = useRef<string>(undefined);
  const path = { pipeline_id: pipelineId, run_id: runId };
  useEvents<LiveMetrics>({
    key: runId,
    open: (signal) =>
      streams.events(
        "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream",
        { path, query: { max_points: 0 } },
        signal,
      ),
    onEvent: ({ sequence, status }) => {
      const now = `${sequence} ${status}`;
      // The first one says how the run stood when it was asked for.
      if (known.current !== undefined && known.current !== now) onNews();
      known.current = now;
    },
  });
  return null;
}

/** Looks after news, at once and then every two seconds at most, and never twice at a time. */
export function useNewsQueue(look: () => Promise<unknown>): () => void {
  const latest = useRef(look);
  latest.current = look;
  const queue = useRef({ isBusy: false, isAsked: false, isGone: false });
  useEffect(() => {
    const { current } = queue;
    current.isGone = false;
    return () => {
      current.isGone = true;
    };
  }, []);
  return useCallback(() => {
    const { current } = queue;
    current.isAsked = true;
    if (current.isBusy) return;
    current.isBusy = true;
    void (async () => {
      while (current.isAsked && !current.isGone) {
        current.isAsked = false;
        await latest.current();
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      current.isBusy = false;
    })();
  }, []);
}
