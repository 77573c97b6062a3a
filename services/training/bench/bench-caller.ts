import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { callerContextHeader, createContextSigner, createContextVerifier } from "@aiplatform/caller-identity";
import type { Callers } from "@aiplatform/service-host";
import type { Interceptor } from "@connectrpc/connect";

const now = () => new Date();

/** A key for one bench: its processes share it through the environment. */
export function benchKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function signer() {
  const privateKeyPem = process.env["BENCH_KEY"] ?? "";
  createPublicKey(privateKeyPem);
  return createContextSigner({ privateKeyPem, now });
}

/** Callers as every service verifies them. */
export function benchCallers(): Callers {
  const { jwks } = signer();
  return { verifier: createContextVerifier({ jwks: async () => jwks(), now }) };
}

/** Signs each call. */
export function benchCaller(organisationId: string): Interceptor {
  const signing = signer();
  const permissions = new Set(["training:write", "training:command", "metrics:read", "metrics:report"]);
  return (next) => async (request) => {
    const { signedContext } = await signing.sign(
      { organisationId, permissions, credentialId: "bench" },
      { audience: "training" },
    );
    request.header.set(callerContextHeader, signedContext);
    return next(request);
  };
}
