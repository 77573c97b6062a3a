import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { directoryOfGroup } from "@aiplatform/serving-runtime/own-group";

const run = promisify(execFile);

/** Numbers of the processes whose command line names the text. */
export async function processesNaming(text: string): Promise<number[]> {
  return numbersOf(await linesNaming(text));
}

/** The same without the launchers that stay with their instance. */
export async function instancesNaming(text: string): Promise<number[]> {
  return numbersOf((await linesNaming(text)).filter((line) => !/launcher \{"tier"/.test(line)));
}

const numbersOf = (lines: string[]) => lines.map((line) => Number.parseInt(line, 10));

async function linesNaming(text: string): Promise<string[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,args="], { maxBuffer: 16_777_216 });
  return stdout.split("\n").filter((line) => line.includes(text));
}

/** Directory of the control group that a driver has made for a process; undefined where it has made none. */
export async function groupOf(pid: number): Promise<string | undefined> {
  const read = (path: string) => readFile(path, "utf8").catch(() => "");
  const directory = directoryOfGroup(await read("/proc/self/mountinfo"), await read(`/proc/${pid}/cgroup`));
  return directory?.includes("/aiplatform-instances.") ? directory : undefined;
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
