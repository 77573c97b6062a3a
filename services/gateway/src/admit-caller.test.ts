import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { callerContextHeader, createCredentialExchange } from "@aiplatform/caller-identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { createLogger } from "@aiplatform/service-host";
import { callerFromTransport, createTranscoder } from "@aiplatform/transcoder";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "@jest/globals";
import { createNoopMeter, trace } from "@opentelemetry/api";
import { createAdmission } from "./admission.ts";
import { admitCaller, type Gate } from "./admit-caller.ts";
import { createDoor } from "./door.ts";
import { GuessLimit } from "./guess-limit.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import { observeRequests } from "./request-observation.ts";

/** An identity that knows one key, `good`, whose owner may link accounts elsewhere. */
const identity = createRouterTransport((router) =>
  router.service(CredentialService, {
    exchangeCredential({ bearer }) {
      if (bearer !== "good") throw new ConnectError("unknown", Code.Unauthenticated);
      const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
      const caller = { organisationId: "o1", credentialId: "k1", permissions: ["oauth:link"], expiresAt };
      return { signedContext: "signed", caller };
    },
  }),
);

const { operations } = createTranscoder({
  services: [ExternalOauthService],
  call: callerFromTransport(() => identity),
});

function gateWith(
  limits: { anonymousPerMinute?: number; totalConcurrency?: number; requestsPerSecond?: number } = {},
): Gate {
  const client = createClient(CredentialService, identity);
  return {
    door: createDoor({
      exchange: createCredentialExchange({ client, now: () => new Date() }),
      guesses: new GuessLimit({ perMinute: 20 }),
      sourceOf: () => ({ address: "203.0.113.7", network: "203.0.113.7" }),
      refusals: () => {},
      now: () => new Date(),
    }),
    admission: createAdmission({
      requestsPerSecond: 100,
      organisationConcurrency: 100,
      totalConcurrency: 100,
      anonymousPerMinute: 100,
      ...limits,
    }),
    observation: observeRequests({
      meter: createNoopMeter(),
      tracer: trace.getTracer("test"),
      logger: createLogger({ service: "test", level: "error" }),
    }),
    draining: new AbortController().signal,
    tellBudget: rateLimitHeaders(limits.requestsPerSecond ?? 100),
  };
}

function admit(gate: Gate, rpc: string, authorization?: string, answered = new Headers()) {
  const operation = operations.find(({ method }) => method.name === rpc);
  if (!operation) throw new Error(`no operation ${rpc}`);
  const request = new IncomingMessage(new Socket());
  request.headers = { ...(authorization && { authorization }) };
  gate.observation.begin(request, new ServerResponse(request));
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    answered.set(name, String(value));
    return response;
  };
  return admitCaller(gate, { operation, request, requestId: "r1", response });
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "OK",
    (error: unknown) => Code[ConnectError.from(error).code],
  );

describe.each([
  ["that asks for no credential", "CompleteExternalLink", undefined, null],
  ["that asks for none, with one", "CompleteExternalLink", "Bearer anything", null],
  ["that asks for one", "ListExternalLinks", "Bearer good", "signed"],
])("a request to an operation %s", (_, rpc, authorization, context) => {
  it("goes on with its request id, and with nothing of its credential but the context", async () => {
    const { headers } = await admit(gateWith(), rpc, authorization);
    expect(headers.get("x-request-id")).toBe("r1");
    expect(headers.get(callerContextHeader)).toBe(context);
    expect(headers.get("authorization")).toBeNull();
  });

  it("holds a place of the platform until it is over", async () => {
    const gate = gateWith({ totalConcurrency: 1 });
    const { done } = await admit(gate, rpc, authorization);
    expect(await codeOf(admit(gate, rpc, authorization))).toBe("Unavailable");
    done?.();
    expect(await codeOf(admit(gate, rpc, authorization))).toBe("OK");
  });
});

describe("a source that calls an operation without credential too often", () => {
  it("is put off, and may go on where it shows a good one", async () => {
    const gate = gateWith({ anonymousPerMinute: 1 });
    await admit(gate, "CompleteExternalLink");
    expect(await codeOf(admit(gate, "CompleteExternalLink"))).toBe("ResourceExhausted");
    expect(await codeOf(admit(gate, "ListExternalLinks", "Bearer good"))).toBe("OK");
  });
});

describe("a caller with a rate", () => {
  it("is told on every answer what is left of it, also on the one that refuses", async () => {
    const gate = gateWith({ requestsPerSecond: 2 });
    const told = async () => {
      const answered = new Headers();
      const code = await codeOf(admit(gate, "ListExternalLinks", "Bearer good", answered));
      return [code, answered.get("ratelimit-policy"), answered.get("ratelimit")];
    };
    const policy = '"organisation";q=2;w=1';
    expect(await told()).toEqual(["OK", policy, '"organisation";r=1;t=1']);
    expect(await told()).toEqual(["OK", policy, '"organisation";r=0;t=1']);
    expect(await told()).toEqual(["ResourceExhausted", policy, '"organisation";r=0;t=1']);
  });

  it("is told nothing of it by a public operation", async () => {
    const answered = new Headers();
    await admit(gateWith(), "CompleteExternalLink", undefined, answered);
    expect([...answered.keys()]).toEqual([]);
  });
});
