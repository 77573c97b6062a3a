import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Who runs the platform in a directory. */
export interface Claim {
  pid: number;
  /** Address of the gateway, once there is one. */
  gateway?: string;
}

/** The directory is in use. */
export class ClaimedError extends Error {
  override name = "ClaimedError";

  constructor({ pid, gateway }: Claim, directory: string) {
    const where = gateway ? ` at ${gateway}` : " and is still starting";
    super(
      `The platform of ${directory} already runs${where} (process ${pid}). Stop it with Ctrl-C where it was started, or: kill ${pid}`,
    );
  }
}

/** What the process of that number was started as; empty when there is none. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    try {
      return execFileSync("ps", ["-p", String(pid), "-o", "command="], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    } catch {
      return "";
    }
  }
}

/** A directory that this process alone may run a platform in. */
export interface ClaimedDirectory {
  /** Tells those who come later where the gateway is. */
  announce(gateway: string): void;
  release(): void;
}

/**
 * Claims the directory. The claim of a process that is gone does not count, nor does that of another program which
 * has come by the same number.
 * @throws ClaimedError
 */
export function claimDirectory(directory: string, ownMark: string): ClaimedDirectory {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "running.json");
  const write = (claim: Claim, flag: "w" | "wx") => writeFileSync(path, JSON.stringify(claim), { flag });
  const own: Claim = { pid: process.pid };
  for (;;) {
    try {
      write(own, "wx");
      return {
        announce: (gateway) => write({ ...own, gateway }, "w"),
        release: () => rmSync(path, { force: true }),
      };
    } catch {
      const holder = readClaim(path);
      if (holder && commandOf(holder.pid).includes(ownMark)) throw new ClaimedError(holder, directory);
      rmSync(path, { force: true });
    }
  }
}

function readClaim(path: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
