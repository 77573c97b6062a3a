import { setTimeout as delay } from "node:timers/promises";

/** What was seen of the processes while something went on. */
export interface Sightings {
  /** Most MiB that each process held, by its name. */
  readonly mebibytes: Readonly<Record<string, number>>;
  /** Processor seconds that each process took, by its name. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
  /** Share of the time that the gateway's event loop was busy, as each look found it. */
  readonly loopBusy: readonly number[];
  /** Milliseconds that each look at `/livez` of the gateway took. */
  readonly livezMs: readonly number[];
}

/** Looks at the processes every second until told to stop. */
export function watchProcesses(adminUrls: Readonly<Record<string, string>>): { stop(): Promise<Sightings> } {
  const mebibytes: Record<string, number> = {};
  const livezMs: number[] = [];
  const loopBusy: number[] = [];
  const cpu: Record<string, { first: number; last: number }> = {};
  const over = new AbortController();
  const look = async (): Promise<void> => {
    for (const [name, url] of Object.entries(adminUrls)) {
      const text = await (await fetch(`${url}/metrics`)).text();
      const bytes = sumOf(text, "process_resident_memory_bytes");
      // A process that is too busy for this look has others.
      if (Number.isNaN(bytes)) continue;
      mebibytes[name] = Math.max(mebibytes[name] ?? 0, bytes / 1_048_576);
      const seconds = sumOf(text, "process_cpu_seconds_total");
      cpu[name] = { first: cpu[name]?.first ?? seconds, last: seconds };
      if (name === "gateway") loopBusy.push(sumOf(text, "nodejs_eventloop_utilisation"));
    }
  };
  const ask = async (): Promise<void> => {
    const startedAt = performance.now();
    await (await fetch(`${adminUrls["gateway"]}/livez`)).arrayBuffer();
    livezMs.push(performance.now() - startedAt);
  };
  const every = async (work: () => Promise<void>) => {
    while (!over.signal.aborted) {
      await work();
      await delay(1_000, undefined, { signal: over.signal }).catch(() => {});
    }
  };
  const watching = [every(look), every(ask)];
  return {
    async stop() {
      over.abort();
      await Promise.all(watching);
      await look();
      const cpuSeconds = Object.fromEntries(Object.entries(cpu).map(([name, { first, last }]) => [name, last - first]));
      return { mebibytes, livezMs, cpuSeconds, loopBusy: loopBusy.slice(1) };
    },
  };
}

/** All series of a metric; NaN where there is none. */
function sumOf(text: string, metric: string): number {
  const values = [...text.matchAll(new RegExp(`^${metric}(?:\\{.*\\})? (\\S+)`, "gm"))].map(([, value]) =>
    Number(value),
  );
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value);
}
