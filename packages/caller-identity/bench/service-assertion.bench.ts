/**
 * Processor time of what a call between services costs to prove and to verify.
 *
 *     node packages/caller-identity/bench/service-assertion.bench.ts [--rounds 5]
 */
import { generateKeyPairSync } from "node:crypto";
import { newPrivateKey } from "@aiplatform/service-keys";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { cpuOfCalls } from "../../../bench/harness/cpu-of-calls.ts";
import { createContextSigner, createContextVerifier, ServiceAssertions } from "../src/index.ts";

const wholeRound = 20_000;
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

const caller = { organisationId: "o", permissions: new Set(["runs:read"]), credentialId: "key" };
const { signedContext } = await signer.sign(caller, { audience: "training" });
const assertion = await gateway.for("training");

export const serviceAssertion: Bench = {
  title: "What a call between services costs to prove and to verify",
  async measure({ rounds, share }) {
    const calls = Math.ceil(wholeRound * share);
    const each = await cpuOfCalls(
      { rounds, calls },
      {
        "a call: the assertion at hand": () => gateway.for("training"),
        "a call: an assertion that is known": () => training.verify(assertion),
        "a call: a context that is known": () => verifier.verify(signedContext, ["training"]),
      },
    );
    const seldom = await cpuOfCalls(
      { rounds, calls: Math.ceil(calls / 20) },
      {
        "once in 20 s: sign an assertion": () => new ServiceAssertions(keysOf("gateway"), now).for("training"),
        "once in 20 s: verify a new one": () => new ServiceAssertions(keysOf("training"), now).verify(assertion),
        "an exchange: sign a context": () => signer.sign(caller, { audience: "training" }),
      },
    );
    return [...each, ...seldom];
  },
};

if (import.meta.main) await runBench(serviceAssertion);
