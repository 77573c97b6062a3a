import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Check, Environment } from "../check.ts";
import { either, type Finding, failed, reasonOf, warning } from "../finding.ts";

const dayMs = 86_400_000;
/** Days before expiry from which doctor warns. */
const soonDays = 14;

const settings = ["TLS_CERT_FILE", "TLS_KEY_FILE", "TLS_CA_FILE"] as const;

/** The files of the mesh's TLS: whether they are there, go together, and hold today. */
export function certificates(env: Environment): Check[] {
  if (settings.every((name) => !env[name])) return [];
  const remedy = "TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE name PEM files that the service's user may read";
  return [{ name: "tls", remedy, run: async () => look(env) }];
}

function look(env: Environment): Finding[] {
  const missing = settings.filter((name) => !env[name]);
  if (missing.length > 0)
    return [failed(`${missing.join(" and ")} not set`, `${settings.join(", ")} go together: all or none`)];
  const [certificateText, keyText, caText] = settings.map((name) => textOf(name, env));
  const certificate = read("TLS_CERT_FILE", certificateText, (text) => new X509Certificate(text));
  const key = read("TLS_KEY_FILE", keyText, (text) => createPrivateKey(text));
  const authorities = read("TLS_CA_FILE", caText, (text) => pemsIn(text).map((pem) => new X509Certificate(pem)));
  if ("state" in certificate) return [certificate];
  if ("state" in key) return [key];
  if ("state" in authorities) return [authorities];
  const issuer = authorities.find(
    (authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
  );
  const names = certificate.subjectAltName ?? "no name";
  return [
    lifetime("TLS_CERT_FILE", certificate),
    ...authorities.map((authority) => lifetime("TLS_CA_FILE", authority)),
    either(
      certificate.checkPrivateKey(key),
      `TLS_KEY_FILE is the key of the certificate for ${names}`,
      failed(
        "TLS_KEY_FILE is not the key of the certificate",
        "put the key that the certificate was made for into TLS_KEY_FILE",
      ),
    ),
    either(
      issuer !== undefined,
      "the certificate is of the authority in TLS_CA_FILE",
      failed(
        "the certificate is of no authority in TLS_CA_FILE",
        "issue it again by that authority, or put its authority into TLS_CA_FILE",
      ),
    ),
  ];
}

function textOf(name: string, env: Environment): string | Finding {
  const path = env[name] ?? "";
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return failed(
      `${name} ${path} cannot be read: ${reasonOf(error)}`,
      `let the service's user read it, or correct ${name}`,
    );
  }
}

function read<T>(name: string, text: string | Finding | undefined, reader: (text: string) => T): T | Finding {
  if (typeof text !== "string") return text ?? failed(`${name} is not set`, `set ${name}`);
  try {
    return reader(text);
  } catch (error) {
    return failed(`${name} holds none: ${reasonOf(error)}`, `${name} is a file in PEM form`);
  }
}

function pemsIn(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}

function lifetime(name: string, { validFromDate, validToDate, subject }: X509Certificate): Finding {
  const days = Math.floor((validToDate.getTime() - Date.now()) / dayMs);
  const whose = `${name} (${subject.replaceAll("\n", ", ")})`;
  const renew = `renew it, and put it into ${name}: the services read it again by themselves`;
  if (validFromDate.getTime() > Date.now())
    return failed(
      `${whose} is not valid before ${validFromDate.toISOString()}`,
      "look at the clock, or issue it again",
    );
  if (days < 0) return failed(`${whose} expired on ${validToDate.toISOString()}`, renew);
  return either(
    days >= soonDays,
    `${whose} is good for ${days} days`,
    warning(`${whose} is good for ${days} days only`, renew),
  );
}
