/**
 * What reading a body of a megabyte costs beside `JSON.parse` of one with many members: milliseconds of the process's CPU, in turns.
 *
 *     node packages/transcoder/bench/long-body.bench.ts [--rounds 5]
 */
import { SaveAutomationDraftRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import type { Figure } from "../../../bench/harness/figure.ts";
import { interleaved } from "../../../bench/harness/rounds.ts";
import { ProblemList } from "../src/errors/problem-list.ts";
import { scanJson } from "../src/json/scanner.ts";
import { JsonView } from "../src/json/view.ts";
import { ReaderCompiler } from "../src/messages/message-reader.ts";
import { longBodies } from "../tests/long-bodies.ts";

const read = new ReaderCompiler().message(SaveAutomationDraftRequestSchema);

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function figureOf(name: string, body: string, rounds: number): Promise<Figure> {
  const bytes = Buffer.from(body);
  const ours = () => {
    const text = bytes.toString("utf8");
    read(JsonView.of(text, scanJson(text)), new ProblemList());
  };
  const parse = () => JSON.parse(longBodies["unknown members"]);
  for (const work of [ours, parse]) await cpuMs(work);
  const measured = await interleaved(rounds, { ours: () => cpuMs(ours), parse: () => cpuMs(parse) });
  const floor = { name: "JSON.parse of many members", values: measured.parse };
  return { id: name.replaceAll(" ", "-"), name, unit: "ms of CPU", values: measured.ours, floor };
}

export const longBodiesBench: Bench = {
  title: "A body of a megabyte",
  async measure({ rounds }) {
    const figures: Figure[] = [];
    for (const [name, body] of Object.entries(longBodies)) figures.push(await figureOf(name, body, rounds));
    return figures;
  },
};

if (import.meta.main) await runBench(longBodiesBench);
