import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { Check, Environment } from "../check.ts";
import { either, type Finding, warning } from "../finding.ts";

/** Days after which a key should be another. */
const maxAgeDays = 365;

/** A secret by its fingerprint, so that processes can be compared, and the age of its file. Never shown. */
export function sharedSecret(name: string, secret: string | undefined, env: Environment, only?: string): Check[] {
  if (secret === undefined) return [];
  const print = fingerprint(name, secret);
  const finding: Finding = {
    state: "ok",
    says: `${name} is ${print}`,
    shared: { name: only ? `${name} of ${only}` : name, value: print },
  };
  return [{ name: "keys", remedy: `${name} is wrong`, run: async () => [finding, ...age(name, env[`${name}_FILE`])] }];
}

/** Tells keys apart and gives nothing of them away. */
function fingerprint(name: string, secret: string): string {
  return createHash("sha256").update(`aiplatform doctor\0${name}\0${secret}`).digest("hex").slice(0, 8);
}

function age(name: string, file: string | undefined): Finding[] {
  if (!file) return [];
  const { mtimeMs, mode } = statSync(file);
  const days = Math.floor((Date.now() - mtimeMs) / 86_400_000);
  const old = warning(
    `${file} is ${days} days old`,
    `put another ${name} in its place: docs/operations/keys.md says how`,
  );
  const open = warning(`every user of this machine can read ${file}`, `chmod 600 ${file}`);
  return [either(days <= maxAgeDays, `${file} is ${days} days old`, old), ...((mode & 0o004) === 0 ? [] : [open])];
}
