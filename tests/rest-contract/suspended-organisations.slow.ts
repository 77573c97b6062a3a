import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { OrganisationService } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { MongoClient } from "mongodb";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, type Json, metricsPath, type Reachable, until } from "../mesh/rest.ts";

let platform: LocalPlatform;
let operatorKey: string;
sharedPlatform((started) => (platform = started));
beforeAll(async () => {
  operatorKey = await readFile(join(platform.directory, "secrets", "operator-key"), "utf8");
});

/** A new organisation: its id, and the platform as its first key sees it. */
async function newOrganisation(): Promise<{ id: string; theirs: Reachable }> {
  const slug = `s-${randomUUID()}`.slice(0, 30);
  const administrator = { display_name: "Ada", email: `${slug}@example.com` };
  const body = { slug, name: "Suspended", administrator };
  const { body: made } = await ask(platform.description, {
    path: "/platform/organisations",
    body,
    bearer: operatorKey,
  });
  const theirs = { ...platform.description, bearer: made.api_key_secret };
  return { id: made.organisation.id, theirs: { ...theirs, ...(await newRun(theirs)) } };
}

const move = (id: string, to: "suspend" | "restore") =>
  ask(platform.description, { method: "POST", path: `/platform/organisations/${id}/${to}`, bearer: operatorKey });
const ownOrganisation = (theirs: Reachable) => ask(theirs, { path: "/platform/organisation" });
const isSuspended = ({ status, body }: { status: number; body: Json }) =>
  status === 403 && body.code === "organisation_suspended";

async function suspend({ id, theirs }: { id: string; theirs: Reachable }): Promise<void> {
  expect((await move(id, "suspend")).status).toBe(200);
  await until("the suspension to be known", 5, () => ownOrganisation(theirs), isSuspended);
}

async function restore({ id, theirs }: { id: string; theirs: Reachable }): Promise<void> {
  expect((await move(id, "restore")).status).toBe(200);
  await until(
    "the organisation to be back",
    10,
    () => ownOrganisation(theirs),
    ({ status }) => status === 200,
  );
}

/** How each way in answers: the status or gRPC code of a refusal for the suspension, or what it answered else. */
const doors: Record<string, (theirs: Reachable) => Promise<unknown>> = {
  REST: async (theirs) => {
    const { status, body } = await ask(theirs, { path: metricsPath(theirs) });
    return [status, body.code];
  },
  "the watching of metrics": async (theirs) => {
    const { gateway, bearer } = theirs;
    const headers = { authorization: `Bearer ${bearer}`, accept: "text/event-stream" };
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`${gateway}/platform${metricsPath(theirs)}stream`, { headers, signal });
    const body: Json = response.ok ? {} : await response.json();
    await response.body?.cancel().catch(() => {});
    return [response.status, body.code];
  },
  predictions: async (theirs) => {
    const path = `/platform/deployments/${randomUUID()}/v2/models/model/infer`;
    const { status, body } = await ask(theirs, { path, body: { inputs: [] } });
    return [status, body.code];
  },
  "Connect through the gateway": async (theirs) => {
    const { status, body } = await ask(theirs, { path: `/${OrganisationService.typeName}/GetOrganisation`, body: {} });
    return [status, body.message];
  },
  "gRPC at the service": async ({ bearer, run_id: runId }) => {
    const transport = createMeshTransport({ addresses: platform.description.grpc.training });
    const headers = { authorization: `Bearer ${bearer}` };
    const error = await createClient(RunService, transport)
      .getRun({ runId }, { headers })
      .then(
        () => undefined,
        (thrown: unknown) => ConnectError.from(thrown),
      );
    transport.close();
    return [error === undefined ? 200 : error.code === Code.PermissionDenied ? 403 : error.code, error?.rawMessage];
  },
};

describe("POST /platform/organisations/{organisation_id}/suspend and /restore", () => {
  it("answer the organisation with its state, also when they are repeated", async () => {
    const { id } = await newOrganisation();
    for (const [to, state] of [
      ["suspend", "suspended"],
      ["suspend", "suspended"],
      ["restore", "active"],
      ["restore", "active"],
    ] as const) {
      const { status, body } = await move(id, to);
      expect([status, body]).toMatchObject([200, { id, state, name: "Suspended" }]);
    }
  });

  it.each(["suspend", "restore"] as const)("%s is the operator's alone, and knows only what there is", async (to) => {
    const { id } = await newOrganisation();
    const path = `/platform/organisations/${id}/${to}`;
    const { status, body } = await ask(platform.description, { method: "POST", path });
    expect([status, body.code]).toEqual([403, "permission_missing"]);
    expect((await move(randomUUID(), to)).status).toBe(404);
    expect((await move("no-id", to)).status).toBe(422);
  });
});

// Each waits for what services remember, in an organisation of its own.
describe.concurrent("while an organisation is suspended", () => {
  it.each(Object.entries(doors))("%s is refused, and answers as before once it is restored", async (_, asked) => {
    const organisation = await newOrganisation();
    const before = await asked(organisation.theirs);
    await suspend(organisation);
    expect(await asked(organisation.theirs)).toEqual([403, expect.stringContaining("suspended")]);
    await restore(organisation);
    // Each service remembers a refusal for five seconds.
    const again = () => asked(organisation.theirs);
    await until("what was answered before", 10, again, (answer) => isDeepStrictEqual(answer, before));
  });

  it("others are answered as before", async () => {
    await suspend(await newOrganisation());
    expect((await ownOrganisation(platform.description)).status).toBe(200);
  });

  it("streams that were open end", async () => {
    const organisation = await newOrganisation();
    const { gateway, bearer } = organisation.theirs;
    const headers = { authorization: `Bearer ${bearer}`, accept: "text/event-stream" };
    const signal = AbortSignal.timeout(30_000);
    const { body } = await fetch(`${gateway}/platform${metricsPath(organisation.theirs)}stream`, { headers, signal });
    const reader = body?.getReader();
    await reader?.read();
    await suspend(organisation);
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read());
  });

  it("content, which has automations and e-mails wait, knows it until the organisation is restored", async () => {
    const organisation = await newOrganisation();
    const client = new MongoClient(platform.mongodbUri);
    const states = client.db("content").collection<{ _id: string; suspended: boolean }>("organisation_states");
    const known = () => states.findOne({ _id: organisation.id });
    try {
      await suspend(organisation);
      await until("content to know of it", 10, known, (state) => state?.suspended === true);
      await restore(organisation);
      await until("content to know of the end", 10, known, (state) => state?.suspended === false);
    } finally {
      await client.close();
    }
  });
});
