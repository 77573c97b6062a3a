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
/** Runs a part, such as `Keras`; default: all. */
const selected = process.env["FRAMEWORK"] ? ["-k", process.env["FRAMEWORK"]] : [];
const tests = reason ? [] : await runPytest([join("tests", "frameworks"), ...selected], frameworks());

describe.skipIf(reason)(`frameworks on the Python SDK${reason ? `: ${reason}` : ""}`, () => {
  it.each(tests.map((test) => [test.name.replaceAll("_", " "), test] as const))("%s", (_, { failure }) => {
    if (failure !== undefined) throw new Error(failure);
  });
});
