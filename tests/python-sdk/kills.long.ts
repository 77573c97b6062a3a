import { join } from "node:path";
import { describe, it } from "vitest";
import { runPytest, whyNoPython } from "./sdk-python.ts";

const reason = await whyNoPython();
const tests = reason ? [] : await runPytest([join("tests", "test_kills.py")]);

describe.skipIf(reason)("the Python trainer", () => {
  it.each(tests.map((test) => [test.name.replaceAll("_", " "), test] as const))("%s", (_, { failure }) => {
    if (failure !== undefined) throw new Error(failure);
  });
});
