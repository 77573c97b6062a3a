import { SaveAutomationDraftRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { describe, expect, it } from "vitest";
import { ProblemList } from "../src/errors/problem-list.ts";
import { noEnds, scanJson } from "../src/json/scanner.ts";
import { JsonView } from "../src/json/view.ts";
import { ReaderCompiler } from "../src/messages/message-reader.ts";

const mebibyte = 1_048_576;
const read = new ReaderCompiler().message(SaveAutomationDraftRequestSchema);

const times = (part: string, separator = ",") =>
  Array(Math.floor(mebibyte / (part.length + separator.length)))
    .fill(part)
    .join(separator);
const members = Array.from({ length: 80_000 }, (_, at) => `"k${at}":[]`).join(",");
const step = (member: string) => `{"steps":[{"key":"a",${member}}]}`;

const bodies = {
  "a text in a step": step(`"prompt":{"prompt":"${"a".repeat(mebibyte)}"}`),
  "brackets in a text": step(`"prompt":{"prompt":"${"[{".repeat(mebibyte / 2)}"}`),
  "escaped quotes": step(`"prompt":{"prompt":"${'\\"'.repeat(mebibyte / 2)}"}`),
  "escaped pairs": step(`"prompt":{"prompt":"${"\\ud83d\\ude00".repeat(mebibyte / 12)}"}`),
  "numbers for steps": `{"steps":[${times("1")}]}`,
  "empty steps": `{"steps":[${times("{}")}]}`,
  "unknown members": `{${members}}`,
  "unknown members in a step": step(members),
  "one member again and again": `{${times('"steps":1')}}`,
  "an unknown list": `{"unknown":[${times("[]")}]}`,
  "nested lists": `{"unknown":[${times("[".repeat(200) + "]".repeat(200))}]}`,
};

/** Milliseconds of this thread's CPU. */
function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** The minima of some rounds in turn, ms of CPU: a busy machine only adds, and adds to both. */
function minOf(work: () => unknown, floor: () => unknown): { ours: number; floor: number } {
  const minima = { ours: Number.POSITIVE_INFINITY, floor: Number.POSITIVE_INFINITY };
  for (let left = 12; left > 0 && !(minima.ours < minima.floor); left--) {
    minima.ours = Math.min(minima.ours, cpuMs(work));
    minima.floor = Math.min(minima.floor, cpuMs(floor));
  }
  return minima;
}

describe("a body of a megabyte", () => {
  it.each(Object.entries(bodies))("of %s costs at most twice what JSON.parse takes for many members", (_, body) => {
    const bytes = Buffer.from(body);
    const work = () => {
      const text = bytes.toString("utf8");
      read(JsonView.of(text, scanJson(text)), new ProblemList());
    };
    const { ours, floor } = minOf(work, () => JSON.parse(bodies["unknown members"]));
    expect(ours).toBeLessThan(2 * floor);
  });

  it.each(Object.entries(bodies))("of %s says the same with and without the noted ends of its values", (_, body) => {
    const problemsOf = (ends: ReturnType<typeof scanJson>) => {
      const problems = new ProblemList();
      read(JsonView.of(body, ends), problems);
      return problems.entries;
    };
    expect(problemsOf(scanJson(body))).toEqual(problemsOf(noEnds));
  });
});
