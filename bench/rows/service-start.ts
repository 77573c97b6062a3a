/**
 * Seconds until all services are ready, and the memory that they have then and after a rest, as `npm start` runs them (one process,
 * bundles) beside each service in a process of its own that runs its sources. Both on the same stores and data, in turns.
 *
 *     node bench/rows/service-start.ts [--rounds 5]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type LocalPlatform, startPlatform, until } from "@aiplatform/local-platform";
import { type Bench, runBench } from "../harness/bench.ts";
import { residentBytes } from "../harness/processes.ts";
import { interleaved } from "../harness/rounds.ts";

const repository = join(import.meta.dirname, "../..");
const services = ["identity", "training", "content", "deployments", "data", "gateway"];
const readyWithinMs = 120_000;
/** Before memory is looked at: garbage of the start is collected. */
const restMs = 20_000;

interface Start {
  /** Until all are ready. */
  readonly seconds: number;
  /** MB a service, after the rest. */
  readonly memory: number;
}

/** As `npm start` has them. They run on afterwards. */
async function fromBundles(platform: LocalPlatform, share: number): Promise<Start> {
  await platform.kill("services", "SIGTERM");
  const begin = performance.now();
  await platform.restart("services");
  const seconds = (performance.now() - begin) / 1_000;
  await delay(restMs * share);
  return { seconds, memory: residentBytes(platform.processes.get("services")?.pid) / 1e6 / services.length };
}

/** Each in its own process. They end before it returns. */
async function fromSources(platform: LocalPlatform, share: number): Promise<Start> {
  await platform.kill("services", "SIGTERM");
  const begin = performance.now();
  const children = services.map((service) => spawnService(platform, service));
  try {
    await Promise.all(services.map((service) => ready(`${platform.adminUrls[service]}/readyz`)));
    const seconds = (performance.now() - begin) / 1_000;
    await delay(restMs * share);
    const bytes = children.map(({ pid }) => residentBytes(pid));
    return { seconds, memory: bytes.reduce((sum, each) => sum + each) / 1e6 / services.length };
  } finally {
    await Promise.all(children.map(ended));
  }
}

function spawnService(platform: LocalPlatform, service: string): ChildProcess {
  const main = join(repository, "services", service, "src", "main.ts");
  const env = { ...process.env, ...platform.settings[service] };
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main], { env, stdio: "ignore" });
}

async function ready(url: string): Promise<void> {
  const look = async () => (await fetch(url).catch(() => undefined))?.ok || undefined;
  await until(look, { withinMs: readyWithinMs, everyMs: 50, otherwise: () => new Error(`${url} is not ready`) });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

export const serviceStart: Bench = {
  title: "All services ready",
  async measure({ rounds, share }) {
    await using home = await mkdtempDisposable(join(tmpdir(), "service-start-"));
    await using platform = await startPlatform({ directory: home.path, trainer: false, model: false });
    const { bundles, sources } = await interleaved(rounds, {
      sources: () => fromSources(platform, share),
      bundles: () => fromBundles(platform, share),
    });
    const floor = "own processes from sources";
    const of = (starts: readonly Start[], what: keyof Start) => starts.map((start) => start[what]);
    return (["seconds", "memory"] as const).map((what) => ({
      id: what === "seconds" ? "services-ready" : "service-memory",
      name: what === "seconds" ? "all services ready, as npm start runs them" : "idle memory a service",
      unit: what === "seconds" ? "s" : "MB",
      values: of(bundles, what),
      floor: { name: floor, values: of(sources, what) },
    }));
  },
};

if (import.meta.main) await runBench(serviceStart);
