import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reportedMoves } from "../../services/training/src/job-log/job-state.ts";
import { runPython, whyNoPython } from "../python-sdk/sdk-python.ts";
import { conformanceOf, languages } from "./conformance.ts";

const reason = await whyNoPython();
/** Few situations stand for the others; `conformance.long.ts` has all of them. */
const results = reason
  ? []
  : await Promise.all(
      languages.map(async (language) => ({ language, tests: await conformanceOf(language, ["-m", "quick"]) })),
    );

describe.skipIf(reason).each(results)("the trainer in $language, by the trainer protocol", ({ tests }) => {
  it.each(tests.map((test) => [test.name.replaceAll("_", " "), test] as const))("%s", (_, { failure }) => {
    if (failure !== undefined) throw new Error(failure);
  });
});

describe("the scripted platform", () => {
  it("lets trainers report the moves that the training service does", async () => {
    const moves = await readFile(join(import.meta.dirname, "reported-moves.json"), "utf8");
    expect(JSON.parse(moves)).toEqual(reportedMoves);
  });

  it.skipIf(reason)("is formatted and linted, as are the situations", async () => {
    for (const command of ["check", "format --check"]) {
      const args = [
        "-m",
        "ruff",
        ...command.split(" "),
        "--no-cache",
        "--config",
        "pyproject.toml",
        import.meta.dirname,
      ];
      expect(await runPython(args)).toMatchObject({ code: 0 });
    }
  });
});
