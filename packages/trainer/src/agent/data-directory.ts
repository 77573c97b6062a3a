import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Another process works in the directory. */
export class DirectoryInUseError extends Error {
  override name = "DirectoryInUseError";
}

/** Makes the directory and claims it for this process; a claim whose process is gone is taken over. */
export async function claimDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, "process.lock");
  const claim = () => writeFile(path, String(process.pid), { flag: "wx" });
  try {
    await claim();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const owner = Number(await readFile(path, "utf8"));
    if (isOther(owner)) throw new DirectoryInUseError(`${directory} is in use by process ${owner}`);
    await rm(path, { force: true });
    await claim();
  }
  return { release: () => rm(path, { force: true }) };
}

/** In a container every process of a job has the same id: its own id in the file is that of one that is gone. */
function isOther(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
