import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Numbers of the processes whose command line names the text. */
export async function processesNaming(text: string): Promise<number[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,args="], { maxBuffer: 16_777_216 });
  return stdout
    .split("\n")
    .filter((line) => line.includes(text))
    .map((line) => Number.parseInt(line, 10));
}

/** Paths of everything below a directory; none where it is not there. */
export async function filesBelow(directory: string): Promise<string[]> {
  return await readdir(directory, { recursive: true }).catch(() => []);
}

/** Whether a server answers there. */
export async function answers(url: string): Promise<boolean> {
  return await fetch(`${url}/v2/health/live`).then(
    async (response) => {
      await response.body?.cancel();
      return true;
    },
    () => false,
  );
}
