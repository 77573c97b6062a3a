import { join } from "node:path";
import { cacheDirectory } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { runPytest, runPython, whyNoPython } from "./sdk-python.ts";

const reason = await whyNoPython();
/** Those of a row share a process; the rows run side by side. */
const files = [
  [
    "test_rules.py",
    "test_client.py",
    "test_media.py",
    "test_framework_loop.py",
    "test_sweeps.py",
    "test_examples.py",
    "test_pages.py",
  ],
  ["test_steering.py", "test_datasets.py", "test_stop_flag.py"],
  ["test_failures.py"],
];
const results = reason ? [] : await Promise.all(files.map((row) => runPytest(row.map((file) => join("tests", file)))));

describe.skipIf(reason)(`the Python SDK${reason ? `: ${reason}` : ""}`, () => {
  it.each(results.flat().map((test) => [test.name.replaceAll("_", " "), test] as const))("%s", (_, { failure }) => {
    if (failure !== undefined) throw new Error(failure);
  });

  it("has types that check, in its strictest mode", async () => {
    const cache = join(cacheDirectory(), "python-sdk-mypy");
    expect(await runPython(["-m", "mypy", "--cache-dir", cache])).toMatchObject({ code: 0 });
    // Without its cache, mypy reads the types of all packages first.
  }, 300_000);

  it("has nothing generated that is stale", async () => {
    expect(await runPython([join("scripts", "generate.py"), "--check"])).toMatchObject({ code: 0 });
  });

  it("is formatted and linted", async () => {
    for (const args of [
      ["check", "--no-cache"],
      ["format", "--no-cache", "--check"],
    ])
      expect(await runPython(["-m", "ruff", ...args])).toMatchObject({ code: 0 });
  });
});
