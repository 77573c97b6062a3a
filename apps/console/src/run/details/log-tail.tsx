import { answerOf } from "@aiplatform/client";
import { useEffect, useRef, useState } from "react";
import { type JobAddress, type LoggedLine, platform, streams } from "../../api/platform.ts";
import { useEvents } from "../../api/use-events.ts";
import { Empty } from "../../ui/panel.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";

/** Newest lines that the page keeps. */
const maxLines = 2_000;
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

interface Line extends LoggedLine {
  key: string;
}

/** What the trainer logs, as it arrives. It follows the end until the reader scrolls up. */
export function LogTail({ address }: { address: JobAddress }) {
  const { lines, hasFailed } = useLogLines(address);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (box.current && isAtEnd.current && lines.length > 0) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  if (lines.length === 0)
    return (
      <Empty title={hasFailed ? "The log cannot be read" : "No log lines"}>
        <p>Lines appear as soon as the trainer logs some.</p>
      </Empty>
    );
  return (
    <ScrollBox
      ref={box}
      className="log"
      role="log"
      aria-label="Log"
      aria-live="off"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - 24;
      }}
    >
      {lines.map(({ key, timestamp, source, message }) => (
        <div key={key} className="log-line">
          <time dateTime={timestamp} title={timestamp} className="muted">
            {clock.format(new Date(timestamp))}
          </time>
          {source && <span className="log-source">{source}</span>}
          <span>{message}</span>
        </div>
      ))}
    </ScrollBox>
  );
}

function useLogLines({ pipeline_id, run_id, job_name }: JobAddress) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const path = { pipeline_id, run_id, job_name };
  const since = useRef<string>(undefined);
  const state = useEvents({
    key: `${run_id} ${job_name}`,
    open: async function* (signal) {
      // The stream begins with all that is stored: of a long log only what is recent is asked for.
      since.current ??= await recentSince(path, signal);
      const query = { since: since.current };
      const base = "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/logs/stream";
      setLines([]);
      yield* streams.events(base, { path, query }, signal);
    },
    onEvent: (batch: { counter: number; lines: LoggedLine[] }) =>
      setLines((before) => {
        const fresh = batch.lines.map((line, index) => ({ ...line, key: `${batch.counter} ${index}` }));
        return [...before, ...fresh].slice(-maxLines);
      }),
  });
  return { lines, hasFailed: state === "refused" };
}

/** From when on the tail is read: an hour before the job was heard last, so that a finished job shows its end. */
async function recentSince(path: JobAddress, signal: AbortSignal): Promise<string> {
  const job = answerOf(
    await platform.GET("/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}", {
      params: { path: { ...path } },
      signal,
    }),
  );
  const last = Date.parse(job.trainer_seen_at ?? new Date().toISOString());
  return new Date(Math.min(last, Date.now()) - 3_600_000).toISOString();
}
