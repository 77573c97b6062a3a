import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { tryLock } from "fs-native-extensions";
import { directoryError } from "./directory-error.ts";

/** Who runs the platform in a directory. */
export interface Claim {
  pid: number;
  /** Address of the gateway, once there is one. */
  gateway?: string;
}

/** The directory is in use. */
export class ClaimedError extends Error {
  override name = "ClaimedError";

  constructor(directory: string, holder: Claim | undefined) {
    super(`The platform of ${directory} already runs${holder ? described(holder) : ", or is just stopping"}`);
  }
}

function described({ pid, gateway }: Claim): string {
  const where = gateway ? ` at ${gateway}` : " and is still starting";
  return `${where} (process ${pid}). Stop it with Ctrl-C where it was started, or: kill ${pid}`;
}

/** A directory that this process alone may run a platform in. */
export interface ClaimedDirectory {
  /** Tells those who come later where the gateway is. */
  announce(gateway: string): void;
  release(): void;
}

/**
 * Claims the directory by a lock on a file in it, which the system lets go of however this process ends. What the file says of
 * the holder is for people.
 * @throws ClaimedError, DirectoryError
 */
export function claimDirectory(directory: string): ClaimedDirectory {
  const path = join(directory, "running.json");
  let file: number | undefined;
  try {
    mkdirSync(directory, { recursive: true });
    // Data, keys and logs of an installation: none of them for other users of the machine.
    const { mode, uid } = statSync(directory);
    if (uid === process.getuid?.()) chmodSync(directory, mode & 0o700);
    file = openSync(path, "a+");
    if (!tryLock(file)) throw new ClaimedError(directory, readClaim(path));
    return claimed(file);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw directoryError(directory, error);
  }
}

function claimed(file: number): ClaimedDirectory {
  const write = (claim: Claim) => {
    ftruncateSync(file);
    writeSync(file, JSON.stringify(claim));
  };
  const own: Claim = { pid: process.pid };
  write(own);
  return {
    announce: (gateway) => write({ ...own, gateway }),
    release() {
      // The file stays: one that is removed and made again could be locked by two at once.
      ftruncateSync(file);
      closeSync(file);
    },
  };
}

/** Undefined in the moment between the lock and what is written of its holder. */
function readClaim(path: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
