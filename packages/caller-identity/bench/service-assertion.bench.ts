/**
 * Processor time of what a call between services costs to prove and to verify.
 *
 *     node packages/caller-identity/bench/service-assertion.bench.ts [times, default 20,000]
 */
import { generateKeyPairSync } from "node:crypto";
import { newPrivateKey } from "@aiplatform/service-keys";
import { createContextSigner, createContextVerifier, ServiceAssertions } from "../src/index.ts";

const times = Number(process.argv[2] ?? 20_000);
const now = () => new Date();
const pair = generateKeyPairSync("ed25519");
const keysOf = (service: string) => ({
  service,
  signingKey: { kid: "gateway", privateKey: pair.privateKey },
  publicKey: () => ({ service: "gateway", key: pair.publicKey }),
});
const gateway = new ServiceAssertions(keysOf("gateway"), now);
const training = new ServiceAssertions(keysOf("training"), now);
const signer = createContextSigner({ privateKeyPem: newPrivateKey(), now });
const verifier = createContextVerifier({ jwks: async () => signer.jwks(), now });

async function measure(what: string, work: () => Promise<unknown>, rounds = times): Promise<void> {
  for (let round = 0; round < rounds / 10; round++) await work();
  const costs: number[] = [];
  for (let sample = 0; sample < 5; sample++) {
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round++) await work();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / rounds);
  }
  costs.sort((a, b) => a - b);
  const [min = 0, , median = 0, , max = 0] = costs;
  process.stdout.write(`${what}: ${median.toFixed(2)} µs (${min.toFixed(2)} to ${max.toFixed(2)})\n`);
}

const caller = { organisationId: "o", permissions: new Set(["runs:read"]), credentialId: "key" };
const { signedContext } = await signer.sign(caller, { audience: "training" });
const assertion = await gateway.for("training");
await measure("a call: the assertion at hand", () => gateway.for("training"));
await measure("a call: an assertion that is known", () => training.verify(assertion));
await measure("a call: a context that is known", () => verifier.verify(signedContext, ["training"]));
await measure(
  "once in 20 s: sign an assertion",
  () => new ServiceAssertions(keysOf("gateway"), now).for("training"),
  times / 20,
);
await measure(
  "once in 20 s: verify a new one",
  () => new ServiceAssertions(keysOf("training"), now).verify(assertion),
  times / 20,
);
await measure("an exchange: sign a context", () => signer.sign(caller, { audience: "training" }), times / 20);
