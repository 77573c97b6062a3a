import { callerContextHeader } from "@aiplatform/caller-identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { eventually, listenOnLoopback } from "@aiplatform/testkit";
import { callerFromTransport, createTranscoder } from "@aiplatform/transcoder";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createRouterTransport, type Transport } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import type { EntryPoint, Upgrades } from "../src/admission/admission-control.ts";
import type { RequestLimits } from "../src/admission/request-limiter.ts";
import { createEdgeServer, type EdgeServer, stopEdgeServer } from "../src/edge/server.ts";
import { createRestEntryPoint } from "../src/rest/entry-point.ts";
import { absentService } from "../src/upstreams/absent-service.ts";
import { createAdmissionRig, silentObservation } from "./admission-rig.ts";

let server: EdgeServer | undefined;
afterEach(async () => {
  if (server) await stopEdgeServer(server, 0);
});

/** The operations of one service, with an identity that knows one key, `good`. `answer` holds calls back. */
async function startRest(
  limits: Partial<RequestLimits> = {},
  answer: () => Promise<void> = async () => {},
  operations?: Transport,
) {
  const asked: Headers[] = [];
  const identity = createRouterTransport(({ service }) => {
    service(CredentialService, {
      exchangeCredential({ bearer }) {
        if (bearer !== "good") throw new ConnectError("unknown", Code.Unauthenticated);
        const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
        const caller = { organisationId: "o1", credentialId: "k1", permissions: ["oauth:link"], expiresAt };
        return { signedContext: "signed", caller };
      },
    });
    service(ExternalOauthService, {
      async listExternalLinks(_, { requestHeader }) {
        asked.push(requestHeader);
        await answer();
        return {};
      },
      async completeExternalLink(_, { requestHeader }) {
        asked.push(requestHeader);
        await answer();
        return {};
      },
    });
  });
  const { control, sourceOf, taken } = createAdmissionRig(identity, limits);
  const transcoder = createTranscoder({
    services: [ExternalOauthService],
    call: callerFromTransport(() => operations ?? identity),
  });
  const draining = new AbortController().signal;
  const rest = createRestEntryPoint(control, { transcoder, observation: silentObservation(), sourceOf, draining });
  server = createEdgeServer((request, response) => {
    if (!rest.handle(request, response)) response.writeHead(418).end();
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const ask = async (rpc: string, authorization?: string) => {
    const { path = "", httpMethod = "GET" } = transcoder.operations.find(({ method }) => method.name === rpc) ?? {};
    const query = rpc === "CompleteExternalLink" ? "?code=c&state=s" : "";
    const target = `${url}${path.replace(/\{\w+\}/g, "github")}${query}`;
    const headers = { "x-request-id": "r1", ...(authorization === undefined ? {} : { authorization }) };
    return await fetch(target, { method: httpMethod, headers });
  };
  return { ask, asked, taken };
}

/** Calls that wait until they are released. */
function heldCalls() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { answer: () => held, release };
}

describe.each([
  ["that asks for no credential", "CompleteExternalLink", undefined, null],
  ["that asks for none, with one", "CompleteExternalLink", "Bearer anything", null],
  ["that asks for one", "ListExternalLinks", "Bearer good", "signed"],
])("a request to an operation %s", (_, rpc, authorization, context) => {
  it("goes on with its request id, and with nothing of its credential but the context", async () => {
    const { ask, asked } = await startRest();
    await ask(rpc, authorization);
    expect(asked[0]?.get("x-request-id")).toBe("r1");
    expect(asked[0]?.get("x-request-id-source")).toBe("caller");
    expect(asked[0]?.get(callerContextHeader)).toBe(context);
    expect(asked[0]?.get("authorization")).toBeNull();
  });

  it("holds a permit of the platform until it is answered", async () => {
    const { answer, release } = heldCalls();
    const { ask, asked, taken } = await startRest({ totalConcurrency: 1 }, answer);
    const first = ask(rpc, authorization);
    await eventually(() => asked.length > 0);
    expect((await ask(rpc, authorization)).status).toBe(503);
    release();
    await (await first).arrayBuffer();
    expect((await ask(rpc, authorization)).status).not.toBe(503);
    expect(asked).toHaveLength(2);
    expect(taken()).toBe(0);
  });
});

describe("a source that calls an operation without credential too often", () => {
  it("is refused with 429, and may go on where it shows a good one", async () => {
    const { ask } = await startRest({ anonymousPerMinute: 1 });
    await ask("CompleteExternalLink");
    expect((await ask("CompleteExternalLink")).status).toBe(429);
    expect((await ask("ListExternalLinks", "Bearer good")).status).toBe(200);
  });
});

describe("a caller with a rate", () => {
  it("reads on every answer what is left of it, also on the one that refuses", async () => {
    const { ask } = await startRest({ requestsPerSecond: 1 });
    const answers = await Promise.all([1, 2].map(() => ask("ListExternalLinks", "Bearer good")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
    for (const { headers } of answers) {
      expect(headers.get("ratelimit-policy")).toBe('"organisation";q=1;w=1');
      expect(headers.get("ratelimit")).toBe('"organisation";r=0;t=1');
    }
  });

  it("reads nothing of it at a public operation", async () => {
    const { ask } = await startRest();
    const { headers } = await ask("CompleteExternalLink");
    expect(headers.get("ratelimit")).toBeNull();
  });
});

describe("a path of an operation", () => {
  it.each([
    ["OPTIONS", 204],
    ["DELETE", 405],
  ])("answers %s with %i and Allow, without admission", async (method, status) => {
    const { ask } = await startRest({ requestsPerSecond: 1 });
    const { url } = await ask("ListExternalLinks", "Bearer good");
    const answered = await fetch(url, { method, headers: { authorization: "Bearer bad" } });
    expect(answered.status).toBe(status);
    expect(answered.headers.get("allow")).toContain("GET, HEAD");
  });
});

describe("an entry point", () => {
  it("cannot be made without admission", () => {
    const made = {
      handle: () => true,
      targetOf: () => undefined,
    };
    // @ts-expect-error Only an AdmissionControl makes one.
    const entryPoint: EntryPoint = made;
    expect(entryPoint).toBe(made);
  });
});

describe("upgrades", () => {
  it("cannot be registered without admission, which a structural type allowed", () => {
    const made = {
      takesUpgrade: () => true,
      upgrade: () => {},
    };
    // @ts-expect-error Only an AdmissionControl makes them.
    const upgrades: Upgrades = made;
    expect(upgrades).toBe(made);
  });
});

describe("an operation of a service that the installation does not have", () => {
  it("is answered 404 with the service's name, and 401 without a credential as ever", async () => {
    const { ask } = await startRest({}, undefined, absentService("data"));
    const answer = await ask("ListExternalLinks", "Bearer good");
    expect([answer.status, await answer.json()]).toEqual([404, { detail: "This installation has no data service." }]);
    expect(answer.headers.get("retry-after")).toBeNull();
    expect((await ask("ListExternalLinks")).status).toBe(401);
  });
});
