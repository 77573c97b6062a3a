import { SaveAutomationDraftRequestSchema } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { describe, expect, it } from "vitest";
import { ProblemList } from "../src/errors/problem-list.ts";
import { noEnds, scanJson } from "../src/json/scanner.ts";
import { JsonView } from "../src/json/view.ts";
import { ReaderCompiler } from "../src/messages/message-reader.ts";
import { longBodies } from "./long-bodies.ts";

const read = new ReaderCompiler().message(SaveAutomationDraftRequestSchema);

/** A reader that is quadratic takes hundreds of times as long. `bench/long-body.bench.ts` measures the factor itself. */
const maxFactor = 10;

/** Milliseconds of this thread's CPU, the least of three: a busy machine only adds. */
function cpuMs(work: () => unknown): number {
  const taken = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...taken);
}

describe("a body of a megabyte", () => {
  it.each(Object.entries(longBodies))("of %s is read in linear time, as JSON.parse reads many members", (_, body) => {
    const bytes = Buffer.from(body);
    const ours = cpuMs(() => {
      const text = bytes.toString("utf8");
      read(JsonView.of(text, scanJson(text)), new ProblemList());
    });
    expect(ours).toBeLessThan(maxFactor * cpuMs(() => JSON.parse(longBodies["unknown members"])));
  });

  it.each(Object.entries(longBodies))("of %s says the same with the noted ends of its values", (_, body) => {
    const problemsOf = (ends: ReturnType<typeof scanJson>) => {
      const problems = new ProblemList();
      read(JsonView.of(body, ends), problems);
      return problems.entries;
    };
    expect(problemsOf(scanJson(body))).toEqual(problemsOf(noEnds));
  });
});
