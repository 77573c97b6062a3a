import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connectEventStream, outboxSource, startRelay, streamMetrics } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { describe, expect, it } from "vitest";
import { completedRuns, openMesh } from "./open-mesh.ts";
import { startOwnNats } from "./own-nats.ts";

/** Whether this process may mount a small file system, which stands for a small disk. */
function mountSmallDisk(directory: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", directory]);
    return true;
  } catch {
    process.stderr.write("full-disk.long.ts is skipped: a tmpfs cannot be mounted here (it needs root)\n");
    return false;
  }
}

describe("a nats-server whose disk was full", () => {
  it("goes on refusing with room again, which the metric tells, and a restart loses nothing", async () => {
    await using nats = await startOwnNats();
    await nats.parts.kill("nats");
    await rm(nats.store, { recursive: true, force: true });
    await mkdir(nats.store, { recursive: true });
    if (!mountSmallDisk(nats.store)) return;
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(async () => {
      await nats.parts.stop();
      execFileSync("umount", ["-l", nats.store]);
    });
    await nats.parts.restart("nats");
    const exporter = new InMemoryMetricExporter(1);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const meters = new MeterProvider({ readers: [reader] });
    cleanUp.defer(() => meters.shutdown());
    await using mesh = await openMesh({ natsUrl: nats.parts.natsUrl });
    const { store, outbox, streamName } = mesh;
    const options = { servers: nats.parts.natsUrl, name: "measured", streamName, ackTimeoutMs: 1_000 };
    await using stream = await connectEventStream({
      ...options,
      keys: serviceKeys("training"),
      meter: meters.getMeter("test"),
    });
    await using _relay = startRelay({ source: outboxSource(store), stream });
    const stalledSeconds = async () => {
      await reader.forceFlush();
      const metrics =
        exporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      const found = metrics.find(({ descriptor }) => descriptor.name === "event_stream_stalled_seconds");
      return Number(found?.dataPoints[0]?.value ?? 0);
    };
    expect(streamMetrics.event_stream_stalled_seconds.kind).toBe("gauge");
    await outbox.stage(undefined, ...completedRuns(0, 10));
    await eventually(async () => (await outbox.depth()) === 0, "the first events published", 60_000);
    expect(await stalledSeconds()).toBe(0);

    const ballast = join(nats.store, "ballast");
    await writeFile(ballast, Buffer.alloc(22 * 1024 * 1024));
    await outbox.stage(undefined, ...completedRuns(10, 20_000));
    await eventually(async () => (await stalledSeconds()) > 1, "a stalled stream", 120_000);
    await rm(ballast);
    const waiting = await outbox.depth();
    expect(waiting).toBeGreaterThan(0);
    const before = await stalledSeconds();
    await eventually(async () => (await stalledSeconds()) > before + 10, "a stream that stays stalled", 120_000);

    await nats.parts.kill("nats", "SIGTERM");
    await nats.parts.restart("nats");
    await eventually(async () => (await outbox.depth()) === 0, "everything published", 240_000);
    expect(await stalledSeconds()).toBe(0);
  });
});
