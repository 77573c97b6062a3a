import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { offeredSandboxes, type TierSandbox } from "../src/sandbox/sandbox.ts";

const run = promisify(execFile);
export const launcher = join(import.meta.dirname, "../src/sandbox/launcher");
const profile = join(import.meta.dirname, "container_profile.py");

const home = mkdtempSync(join(tmpdir(), "sandbox-python-"));
chmodSync(home, 0o755);
process.once("exit", () => rmSync(home, { recursive: true, force: true }));

/** A Python that is run by way of another program. */
function pythonBehind(name: string, before: string, python: string): string {
  const path = join(home, name);
  writeFileSync(path, `#!/bin/sh\nexec ${before} ${python} "$@"\n`, { mode: 0o755 });
  return path;
}

/** A tier, and how the launcher is started. */
export interface Surroundings {
  readonly name: string;
  readonly sandbox: TierSandbox;
  /** The Python itself. */
  readonly python: string;
}

/** The launcher as an ordinary user starts it, where the tests are root. */
const ordinary = "setpriv --reuid 65534 --regid 65534 --clear-groups --";
/** The launcher as it is started in a container. */
export const containerPython = pythonBehind("container", `python3 -I -S ${profile} ${launcher}`, "python3");

async function tiersOf(name: string, python: string): Promise<Surroundings[]> {
  const { sandboxes } = await offeredSandboxes({ python });
  return sandboxes.map((sandbox) => ({
    name: `${sandbox.kind}${name}`,
    python: sandbox.python,
    sandbox: { ...sandbox, python },
  }));
}

/** Every tier that this machine offers: to this user, to an ordinary one, and in a container. */
export async function everyTier(): Promise<Surroundings[]> {
  const isRoot = process.getuid?.() === 0;
  const canBeOrdinary =
    isRoot && (await run("/bin/sh", ["-c", `${ordinary} test -r ${profile}`]).catch(() => undefined));
  return [
    ...(await tiersOf("", "python3")),
    ...(canBeOrdinary
      ? await tiersOf(" of an ordinary user", pythonBehind("ordinary", ordinary, "/usr/bin/python3"))
      : []),
    ...(await tiersOf(" in a container", containerPython)),
  ];
}
