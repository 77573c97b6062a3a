import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Description } from "@aiplatform/local-platform";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A platform as `npm start` runs it, and a directory that looks like the repository it was started in. */
export interface Started extends AsyncDisposable {
  home: string;
  description: Description;
}

/** Starts one with its data below the directory's own `.local`; stopping it removes the directory. */
export async function npmStart(...args: string[]): Promise<Started> {
  const home = await mkdtemp(join(tmpdir(), "npm-start-"));
  for (const name of ["examples", "node_modules"]) await symlink(join(root, name), join(home, name));
  const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
  const command = [
    join(root, "scripts/start.mjs"),
    "--json",
    "--any-ports",
    "--directory",
    join(home, ".local"),
    ...args,
  ];
  const launcher = spawn(process.execPath, command, { env, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(launcher, "exit");
  const stop = async () => {
    launcher.kill("SIGINT");
    await exited;
    await rm(home, { recursive: true, force: true });
  };
  const [printed] = await Promise.race([once(launcher.stdout, "data"), exited]);
  try {
    return { home, description: JSON.parse(String(printed)), [Symbol.asyncDispose]: stop };
  } catch (cause) {
    await stop();
    throw new Error("npm start printed no description", { cause });
  }
}
