import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { runPytest, sdkPython, whyNoPython } from "../sdk-python.ts";

const reason = await whyNoPython(11);
const frameworks = () =>
  sdkPython({
    name: "python-sdk-frameworks",
    requirements: fileURLToPath(new URL("./requirements.txt", import.meta.url)),
    installTimeoutMs: 3_000_000,
    announcement: "Fetching frameworks from PyPI, once: 2.9 GB on Linux with x86-64, less on other machines.",
  });
/** Runs a part, such as `Keras`. */
const framework = process.env["FRAMEWORK"];
/** They run side by side: one process that loads its framework leaves the other processors idle. */
const parts = framework ? [framework] : ["ranks", "not ranks"];
const interpreter = reason ? undefined : await frameworks();
const results = interpreter
  ? await Promise.all(parts.map((part) => runPytest([join("tests", "frameworks"), "-k", part], interpreter)))
  : [];
const tests = results.flat();

describe.skipIf(reason)(`frameworks on the Python SDK${reason ? `: ${reason}` : ""}`, () => {
  it.each(tests.map((test) => [test.name.replaceAll("_", " "), test] as const))("%s", (_, { failure }) => {
    if (failure !== undefined) throw new Error(failure);
  });
});
