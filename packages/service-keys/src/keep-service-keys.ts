import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publicKeySet } from "./key-set.ts";
import { keyHolders } from "./names.ts";
import { newPrivateKey } from "./private-key.ts";
import type { ServiceKeyFiles } from "./service-keys.ts";

/**
 * Makes the keys of all services in a directory, or finds them there: `<service>.pem` for each, and `service-keys.json` with
 * the public ones. A private key that is new gets its place in that set; the public keys that are there stay. Answers where
 * the files of a service are. @throws ServiceKeyError when a file that is there holds something else
 */
export function keepServiceKeys(
  directory: string,
  holders: readonly string[] = keyHolders,
): (service: string) => ServiceKeyFiles {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const privateFile = (service: string) => join(directory, `${service}.pem`);
  const publicFile = join(directory, "service-keys.json");
  const privateKeys = new Map(holders.map((service) => [service, keepKey(privateFile(service))]));
  const present = textOf(publicFile);
  const text = `${JSON.stringify(publicKeySet(privateKeys, present), undefined, 2)}\n`;
  if (text !== present) replace(publicFile, text);
  return (service) => ({ SERVICE_KEY_FILE: privateFile(service), SERVICE_KEYS_FILE: publicFile });
}

function keepKey(file: string): string {
  const present = textOf(file);
  if (present !== undefined) return present;
  const made = newPrivateKey();
  replace(file, made);
  return made;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Never half a file, whatever ends the process. */
function replace(file: string, text: string): void {
  const next = `${file}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, file);
}
