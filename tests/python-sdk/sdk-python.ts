import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory, runTool } from "@aiplatform/local-platform";
import { type PythonRequirements, type PythonWithPackages, pythonWithPackages } from "../notebooks/python-packages.ts";

/** Folder of the Python SDK. */
export const sdkFolder = fileURLToPath(new URL("../../sdks/python", import.meta.url));
const requirements = fileURLToPath(new URL("./requirements.txt", import.meta.url));

/** Why the SDK cannot run on this machine; undefined where it can. `minor`: of the oldest Python 3 that is enough. */
export async function whyNoPython(minor = 10): Promise<string | undefined> {
  for (const name of ["python3", "python"]) {
    const asked = await runTool(name, ["-c", `import pip, sys; print(sys.version_info >= (3, ${minor}))`]);
    if (asked.ok) return asked.stdout.trim() === "True" ? undefined : `${name} is older than 3.${minor}`;
  }
  return "there is no Python 3 with pip";
}

/** An interpreter, and what it needs in its environment. */
type SdkPython = PythonWithPackages["env"] & { python: string };

/** Python with what the SDK and its tests need, or with other packages, and the SDK's sources. */
export async function sdkPython(packages: Partial<PythonRequirements> = {}): Promise<SdkPython> {
  const { python, env } = await pythonWithPackages({ name: "python-sdk", requirements, ...packages });
  return { python, ...env, PYTHONPATH: `${env.PYTHONPATH}:${join(sdkFolder, "src")}` };
}

/**
 * Compiled modules are kept in the cache. A process that compiled the modules of a framework again would take two to three times as long to
 * import it, and a folder of the repository is no place for them.
 */
function keptBytecode(): Record<string, string> {
  return { PYTHONDONTWRITEBYTECODE: "", PYTHONPYCACHEPREFIX: join(cacheDirectory(), "python-bytecode") };
}

/** What a program said to its end. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of Python to its end, in the SDK's folder or another. */
export async function runPython(
  args: readonly string[],
  interpreter: SdkPython | Promise<SdkPython> = sdkPython(),
  cwd = sdkFolder,
): Promise<Ended> {
  const { python, ...packages } = await interpreter;
  const env = { ...process.env, ...packages, ...keptBytecode() };
  return new Promise((resolve) => {
    execFile(python, args, { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, output: stdout + stderr });
    });
  });
}

/** A test of pytest, and why it failed. */
export interface PythonTest {
  readonly name: string;
  readonly failure?: string;
}

/** Runs tests of the SDK, or of another folder; each line of `-rA` names one. @throws Error when pytest did not get as far as its tests */
export async function runPytest(
  args: readonly string[],
  interpreter: SdkPython | Promise<SdkPython> = sdkPython(),
  cwd = sdkFolder,
): Promise<PythonTest[]> {
  const command = ["-m", "pytest", "-q", "-rA", "--color=no", "--tb=short", ...args];
  const { code, output } = await runPython(command, interpreter, cwd);
  const named = [...output.matchAll(/^(PASSED|FAILED|ERROR) \S+?::(.+?)(?: - .*)?$/gm)];
  if (named.length === 0 || code > 1) throw new Error(`pytest ended with ${code}:\n${output}`);
  return named.map(([, outcome, name = ""]) => ({ name, ...(outcome !== "PASSED" && { failure: output }) }));
}
