import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createContextSigner } from "@aiplatform/caller-identity";
import { localSettings } from "./mesh-rig.ts";

const privateKeyPem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const signer = createContextSigner({ privateKeyPem, now: () => new Date() });
const program = fileURLToPath(new URL("echo-process.ts", import.meta.url));

/** A service as a process of its own. */
export interface EchoProcess {
  readonly child: ChildProcess;
  readonly addresses: { grpc: string; http: string; admin: string };
  readonly lines: Record<string, unknown>[];
  readonly exit: Promise<{ code: number | null }>;
}

const children: ChildProcess[] = [];

/** For `afterEach`: ends what a test has left running. */
export function killEchoes(): void {
  for (const child of children.splice(0)) child.kill("SIGKILL");
}

export function launchEcho(env: Record<string, string>) {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const exit = once(child, "exit").then(([code]) => ({ code }));
  return { child, exit };
}

/** Starts one, and waits until it is ready. */
export async function startEcho(env: Record<string, string> = {}): Promise<EchoProcess> {
  const { child, exit } = launchEcho({ ...localSettings, TEST_JWKS: signer.jwks(), ...env });
  const lines: Record<string, unknown>[] = [];
  const addresses = await new Promise<EchoProcess["addresses"]>((resolve, reject) => {
    let rest = "";
    child.stdout?.on("data", (chunk) => {
      const parts = (rest + String(chunk)).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const line = JSON.parse(part);
        lines.push(line);
        if (line.msg === "ready") resolve(line.addresses);
      }
    });
    child.stderr?.on("data", (chunk) => reject(new Error(String(chunk))));
  });
  return { child, addresses, lines, exit };
}

/** Of a caller who may use all of it. */
export async function echoHeaders(): Promise<Headers> {
  const caller = { organisationId: "o1", credentialId: "k1", permissions: new Set(["echo:use", "echo:whisper"]) };
  return new Headers({ "x-caller-context": (await signer.sign(caller)).signedContext });
}

/** Calls that a replica has answered, as it tells itself. */
export async function answeredBy({ addresses }: EchoProcess): Promise<number> {
  const text = await (await fetch(`${addresses.admin}/metrics`)).text();
  return Number(/call_duration_seconds_count\{[^}]*"Whisper"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0);
}
