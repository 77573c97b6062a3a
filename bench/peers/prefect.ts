/**
 * Our platform beside a Prefect server with SQLite and without its background services: a durable command, and a flow run that is paused and
 * resumed by `set_state`. One client, in turns.
 *
 *     npm run bench:peers -- --rows 11
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, runBench } from "../harness/bench.ts";
import { type Comparison, compared } from "./compared.ts";
import { type Send, sender, startOurSide } from "./our-side.ts";
import { type Peer, startPeer } from "./peer-server.ts";

/** Flow runs that changes of state are spread over. */
const flowRunCount = 32;

const prefect: Peer = {
  name: "prefect",
  args: (port) => ["prefect", "server", "start", "--port", `${port}`, "--no-services"],
  env: { DO_NOT_TRACK: "1" },
  healthPath: "/api/health",
};

/** Pauses and resumes flow runs in turns. */
async function stateChanges(send: Send): Promise<(index: number) => Promise<unknown>> {
  const created = async (path: string, body: unknown): Promise<string> =>
    JSON.parse((await send("POST", path, JSON.stringify(body))).toString()).id;
  const flow_id = await created("/api/flows/", { name: "bench" });
  const flowRuns: string[] = [];
  while (flowRuns.length < flowRunCount)
    flowRuns.push(await created("/api/flow_runs/", { flow_id, state: { type: "RUNNING" } }));
  return (index) => {
    const type = Math.floor(index / flowRunCount) % 2 === 0 ? "PAUSED" : "RUNNING";
    const path = `/api/flow_runs/${flowRuns[index % flowRunCount]}/set_state`;
    return send("POST", path, JSON.stringify({ state: { type }, force: true }));
  };
}

async function comparisons(stack: AsyncDisposableStack): Promise<Comparison[]> {
  const ours = await startOurSide(stack);
  const home = stack.use(await mkdtempDisposable(join(tmpdir(), "prefect-")));
  const { url } = stack.use(await startPeer(prefect, { directory: home.path }));
  const change = { name: "Prefect's set_state", call: await stateChanges(sender(url, { stack })) };
  return [
    {
      ...{ id: "prefect-command-1", name: "commands at 1", callers: 1 },
      ...{ ours: { calls: 200, call: ours.command }, peer: { calls: 60, ...change } },
    },
    {
      ...{ id: "prefect-command-32", name: "commands at 32", callers: 32 },
      ...{ ours: { calls: 2_000, call: ours.command }, peer: { calls: 160, ...change } },
    },
  ];
}

export const prefectPeer: Bench = {
  title: "The Prefect server at a change of state",
  async measure(effort) {
    await using stack = new AsyncDisposableStack();
    const figures = [];
    for (const comparison of await comparisons(stack)) figures.push(await compared(comparison, effort));
    return figures;
  },
};

if (import.meta.main) await runBench(prefectPeer);
