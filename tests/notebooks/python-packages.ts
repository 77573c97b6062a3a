import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheDirectory, runTool } from "@aiplatform/local-platform";

const defaultInstallTimeoutMs = 300_000;

/** Which packages. */
export interface PythonRequirements {
  /** What they are for, as a name of a folder. */
  name: string;
  /** The file that pins them. */
  requirements: string;
  /** Default: 300,000. */
  installTimeoutMs?: number;
  /** What is written to standard error before they are fetched. */
  announcement?: string;
}

/** Python with the packages that were asked for. */
export interface PythonWithPackages {
  /** The interpreter. */
  python: string;
  /** What it needs in its environment to find them. */
  env: { PYTHONPATH: string; PYTHONNOUSERSITE: string };
}

/** Installs them once into the cache. Two runs at once, or one that is killed, leave nothing or the whole of it. */
export async function pythonWithPackages(wanted: PythonRequirements): Promise<PythonWithPackages> {
  const { name, requirements } = wanted;
  const python = await findPython(name);
  const { stdout: version } = await runTool(python, ["-c", "import sys; print('%d.%d' % sys.version_info[:2])"]);
  const pins = await readFile(requirements);
  const hash = createHash("sha256").update(pins).update(version).digest("hex").slice(0, 16);
  const directory = join(cacheDirectory(), `${name}-${hash}`);
  const isThere = await access(directory).then(
    () => true,
    () => false,
  );
  if (!isThere) await installOnce({ ...wanted, python, directory });
  return { python, env: { PYTHONPATH: directory, PYTHONNOUSERSITE: "1" } };
}

interface Installation extends PythonRequirements {
  python: string;
  directory: string;
}

/** Under way in this process, by their folders. */
const installations = new Map<string, Promise<void>>();

async function installOnce(installation: Installation): Promise<void> {
  const { directory } = installation;
  const underWay = installations.get(directory) ?? install(installation);
  installations.set(directory, underWay);
  try {
    await underWay;
  } finally {
    installations.delete(directory);
  }
}

async function install({ python, directory, requirements, ...options }: Installation): Promise<void> {
  const { installTimeoutMs = defaultInstallTimeoutMs, announcement } = options;
  if (announcement) process.stderr.write(`${announcement}\n`);
  await mkdir(cacheDirectory(), { recursive: true });
  const scratch = await mkdtemp(`${directory}.fetching-`);
  try {
    // Python compiles what it comes to use, which is a small part of what there is.
    const flags = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--no-compile"];
    const args = ["-m", "pip", "install", ...flags, "--target", scratch, "--requirement", requirements];
    const { ok, complaint } = await runTool(python, args, installTimeoutMs);
    if (!ok) throw new Error(`pip could not fetch what ${requirements} pins: ${complaint}`);
    await rename(scratch, directory).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function findPython(purpose: string): Promise<string> {
  for (const name of ["python3", "python"]) {
    if ((await runTool(name, ["-m", "pip", "--version"], 60_000)).ok) return name;
  }
  throw new Error(`${purpose} needs Python 3.11 or newer with pip`);
}
