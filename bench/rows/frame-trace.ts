/** An event of a trace of Chromium, as far as it is read here (Trace Event Format). */
export interface TraceEvent {
  readonly name: string;
  /** `X` is an event with a duration. */
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Begin, µs. */
  readonly ts: number;
  /** Of an event with a duration, µs of the clock. */
  readonly dur?: number;
  /** The same in µs of the thread's processor time, which other programs do not lengthen. */
  readonly tdur?: number;
}

/** Processor time of one frame of a page, ms. */
export interface Frame {
  /** Callbacks, handlers, timers and promises, and what they have the browser do at once. */
  readonly script: number;
  /** Styles, layout and paint beside that. */
  readonly rendering: number;
}

const scripts = new Set([
  ...["FunctionCall", "EvaluateScript", "RunMicrotasks", "v8.callFunction", "v8.run"],
  // The garbage is that of script.
  ...["MinorGC", "MajorGC"],
]);
const rendering = new Set(["UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit"]);

/**
 * What the frames of a page cost: from the begin of each to that of the next, on the thread that has most of them. Script within script
 * counts once. @throws Error where the trace has no frames
 */
export function framesOf(events: readonly TraceEvent[]): Frame[] {
  const thread = busiest(events.filter(isFrameBegin).map(threadOf));
  const own = events.filter((event) => threadOf(event) === thread).sort((one, other) => one.ts - other.ts);
  const begins = own.filter(isFrameBegin).map(({ ts }) => ts);
  const frames = begins.slice(1).map(() => ({ script: 0, rendering: 0 }));
  let frame = -1;
  let scriptEnd = 0;
  for (const { name, ph, ts, dur = 0, tdur = dur } of own) {
    while (frame + 1 < begins.length && ts >= (begins[frame + 1] ?? Number.POSITIVE_INFINITY)) frame += 1;
    const current = frames[frame];
    if (ph !== "X" || ts < scriptEnd) continue;
    if (scripts.has(name)) scriptEnd = ts + dur;
    if (!current) continue;
    if (scripts.has(name)) current.script += tdur / 1_000;
    else if (rendering.has(name)) current.rendering += tdur / 1_000;
  }
  return frames;
}

const isFrameBegin = ({ name, ph }: TraceEvent) => name === "AnimationFrame" && ph === "b";

const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;

function busiest(threads: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const thread of threads) counts.set(thread, (counts.get(thread) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  if (!first) throw new Error("the trace has no frames");
  return first[0];
}
