import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs docker and answers what it printed. Rejects with what it said on standard error. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await execute("docker", args, { maxBuffer: 2 ** 28 });
  return stdout.trim();
}

/** Rejects with one sentence where no Docker answers. */
export async function requireDocker(): Promise<void> {
  await docker("info").catch(() => {
    throw new Error("these tests build and run images with Docker, and none answers here: install or start it");
  });
}

/** Whether an image is here, after an attempt to pull it. */
export async function isToBeHad(image: string): Promise<boolean> {
  const isHere = () =>
    docker("image", "inspect", image).then(
      () => true,
      () => false,
    );
  if (await isHere()) return true;
  await docker("pull", "--quiet", image).catch(() => {});
  return isHere();
}
