import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { accessInterceptor } from "./access-interceptor.ts";
import { authenticationInterceptor } from "./authentication-interceptor.ts";
import { callerOf } from "./caller.ts";
import { createCredentialExchange } from "./credential-exchange.ts";
import { refusal } from "./refusal.ts";

/** A stream that answers every batch, behind an identity whose contexts have to be renewed after a second. */
function trainerBehind(identity: { permissions: string[]; failure?: Code }) {
  const identityTransport = createRouterTransport((router) =>
    router.service(CredentialService, {
      exchangeCredential() {
        if (identity.failure) throw new ConnectError("not now", identity.failure);
        const expiresAt = timestampFromDate(new Date(Date.now() + 10_500));
        const { permissions } = identity;
        return { signedContext: "s", caller: { organisationId: "o1", credentialId: "k1", permissions, expiresAt } };
      },
    }),
  );
  const exchange = createCredentialExchange({
    client: createClient(CredentialService, identityTransport),
    now: () => new Date(),
  });
  const verifier = { verify: () => Promise.reject(refusal("CONTEXT_MALFORMED")) };
  const interceptors = [authenticationInterceptor({ verifier, exchange, recheckMs: 1_000 }), accessInterceptor()];
  const transport = createRouterTransport(
    (router) =>
      router.service(TrainerService, {
        async *report(batches, context) {
          callerOf(context);
          for await (const { counter } of batches) yield { durableCounter: counter };
        },
      }),
    { router: { interceptors } },
  );
  return createClient(TrainerService, transport);
}

/** Sends batches until the stream ends or `answered` says it is enough, and says how it ended. */
async function report(client: ReturnType<typeof trainerBehind>, answered: () => unknown): Promise<string> {
  let [counter, enough] = [0, false];
  async function* batches() {
    while (!enough) {
      await new Promise((resolve) => setImmediate(resolve));
      yield { counter: ++counter };
    }
  }
  try {
    const headers = { authorization: "Bearer k1" };
    for await (const _answer of client.report(batches(), { headers })) enough = answered() === true;
    return "OK";
  } catch (error) {
    return Code[ConnectError.from(error).code];
  }
}

describe("a stream whose credential changes without an announcement", () => {
  it("ends UNAUTHENTICATED at the next check once the credential is refused", async () => {
    const identity: Parameters<typeof trainerBehind>[0] = { permissions: ["metrics:report"] };
    const ended = await report(trainerBehind(identity), () => {
      identity.failure = Code.Unauthenticated;
    });
    expect(ended).toBe("Unauthenticated");
  });

  it("ends PERMISSION_DENIED at the next check once the permission is gone", async () => {
    const identity = { permissions: ["metrics:report"] };
    const ended = await report(trainerBehind(identity), () => {
      identity.permissions = [];
    });
    expect(ended).toBe("PermissionDenied");
  });

  it("goes on while identity cannot be asked", async () => {
    const identity: Parameters<typeof trainerBehind>[0] = { permissions: ["metrics:report"] };
    const startedAt = performance.now();
    // Longer than two checks take.
    const ended = await report(trainerBehind(identity), () => {
      identity.failure = Code.Unavailable;
      return performance.now() - startedAt > 2_500;
    });
    expect(ended).toBe("OK");
  });
});
