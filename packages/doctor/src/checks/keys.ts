import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { createContextSigner } from "@aiplatform/caller-identity";
import { type Check, either, type Finding, failed, fine, reasonOf, warning } from "../check.ts";
import type { Service } from "../services.ts";

/** Days after which a key should be another. */
const oldestDays = 365;
/** Secrets that every process which has them must have alike. */
const alike = ["CONTEXT_SIGNING_KEY", "API_KEY_HASH_SECRET", "SECRETS_KEYS", "DELEGATION_SECRET"] as const;

type SecretName = (typeof alike)[number];

/** Keys: their form, their age where a file tells it, and whether those who share one have the same. Never shown. */
export const keys: Check = {
  name: "keys",
  looks: (services) =>
    alike.flatMap((name) => {
      const holders = services.flatMap((service) => {
        const secret = secretOf(service, name);
        return secret === undefined ? [] : [{ service, secret }];
      });
      if (holders.length === 0) return [];
      return [
        {
          of: holders.map(({ service }) => service.name),
          remedy: `${name} is wrong`,
          run: async () => findings(name, holders),
        },
      ];
    }),
};

interface Holder {
  service: Service;
  secret: string;
}

function secretOf(service: Service, name: SecretName): string | undefined {
  if (service.kind === "identity") return service.config[name];
  return service.kind === "content" && name === "DELEGATION_SECRET" ? service.config.DELEGATION_SECRET : undefined;
}

function findings(name: SecretName, holders: readonly Holder[]): Finding[] {
  const forms = holders.flatMap(({ secret }) => (name === "CONTEXT_SIGNING_KEY" ? signingForm(secret) : []));
  return [...forms.slice(0, 1), equality(name, holders), ...ages(name, holders)];
}

function signingForm(privateKeyPem: string): Finding[] {
  try {
    createContextSigner({ privateKeyPem, now: () => new Date() });
    return [fine("CONTEXT_SIGNING_KEY is an Ed25519 private key")];
  } catch (error) {
    const remedy =
      "make one: openssl genpkey -algorithm ed25519; CONTEXT_SIGNING_KEY or its file holds the PEM text whole";
    return [failed(`CONTEXT_SIGNING_KEY cannot sign: ${reasonOf(error)}`, remedy)];
  }
}

function equality(name: SecretName, holders: readonly Holder[]): Finding {
  const prints = holders.map(({ service, secret }) => ({ name: service.name, print: fingerprint(name, secret) }));
  const [first] = prints;
  const says = prints.map((each) => `${each.name} ${each.print}`).join(", ");
  const remedy = `give ${prints.map((each) => each.name).join(" and ")} the same ${name}`;
  return either(
    prints.every(({ print }) => print === first?.print),
    `${name}: ${says}`,
    failed(`${name} differs: ${says}`, remedy),
  );
}

/** Tells keys apart and gives nothing of them away. */
function fingerprint(name: string, secret: string): string {
  return createHash("sha256").update(`aiplatform doctor\0${name}\0${secret}`).digest("hex").slice(0, 8);
}

function ages(name: SecretName, holders: readonly Holder[]): Finding[] {
  const files = holders.flatMap(({ service: { env } }) => env[`${name}_FILE`] ?? []);
  return [...new Set(files)].flatMap((file) => age(name, file));
}

function age(name: SecretName, file: string): Finding[] {
  const { mtimeMs, mode } = statSync(file);
  const days = Math.floor((Date.now() - mtimeMs) / 86_400_000);
  const old = warning(
    `${file} is ${days} days old`,
    `put another ${name} in its place: docs/operations/keys.md says how`,
  );
  const open = warning(`every user of this machine can read ${file}`, `chmod 600 ${file}`);
  return [either(days <= oldestDays, `${file} is ${days} days old`, old), ...((mode & 0o004) === 0 ? [] : [open])];
}
