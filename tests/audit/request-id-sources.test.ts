import { randomUUID } from "node:crypto";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, until } from "../mesh/rest.ts";
import { AuditEnvironment, type ShownRecord } from "./audit-environment.ts";

let platform: LocalPlatform;
let environment: AuditEnvironment;
sharedPlatform((started) => (platform = started));
beforeAll(async () => {
  environment = await AuditEnvironment.of(platform, platform.directory);
});

/** Asks through one way in, with one more header than usual; answers the request id of the answer. */
type Ask = (bearer: string, headers: Record<string, string>) => Promise<string>;
interface Door {
  write: Ask;
  refused: Ask;
}

const newRole = () => ({ name: "mine", slug: `r${randomUUID()}` });

const rest = async (path: string, bearer: string, headers: Record<string, string>, body?: unknown) => {
  const answer = await ask(platform.description, { path, bearer, headers, body });
  return answer.headers.get("x-request-id") ?? "";
};

async function overConnect(rpc: string, bearer: string, headers: Record<string, string>, input: object) {
  const response = await fetch(`${platform.description.gateway}/${RoleService.typeName}/${rpc}`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  await response.arrayBuffer();
  return response.headers.get("x-request-id") ?? "";
}

async function atTheService(bearer: string, headers: Record<string, string>, roleId?: string) {
  const transport = createMeshTransport({ addresses: platform.description.grpc.identity });
  const roles = createClient(RoleService, transport);
  let requestId = "";
  const options = {
    headers: { ...headers, authorization: `Bearer ${bearer}` },
    onHeader(answered: Headers) {
      requestId = answered.get("x-request-id") ?? "";
    },
  };
  const asked = roleId === undefined ? roles.createRole(newRole(), options) : roles.getRole({ roleId }, options);
  await asked.catch((error: { metadata?: Headers }) => {
    requestId = error.metadata?.get("x-request-id") ?? "";
  });
  transport.close();
  return requestId;
}

const doors: Record<string, Door> = {
  REST: {
    write: (bearer, headers) => rest("/organisations/roles/", bearer, headers, { ...newRole(), permission_ids: [] }),
    refused: (bearer, headers) => rest(`/platform/roles/${randomUUID()}`, bearer, headers),
  },
  "Connect through the gateway": {
    write: (bearer, headers) => overConnect("CreateRole", bearer, headers, newRole()),
    refused: (bearer, headers) => overConnect("GetRole", bearer, headers, { roleId: randomUUID() }),
  },
  "gRPC at the service": {
    write: (bearer, headers) => atTheService(bearer, headers),
    refused: (bearer, headers) => atTheService(bearer, headers, randomUUID()),
  },
};

/** Each with a key of its own: refusals that are alike would share a record. */
async function recordOf(asked: Ask, headers: Record<string, string>, permissionIds: string[]): Promise<ShownRecord> {
  const { secret } = await environment.made("ApiKeyService/CreateApiKey", { name: "caller", permissionIds });
  const requestId = await asked(secret, headers);
  expect(requestId).not.toBe("");
  const [record] = await until(
    `the record of ${requestId}`,
    30,
    () => environment.recordsOf(requestId),
    (found) => found.length > 0,
  );
  if (!record) throw new Error("there is no record");
  return record;
}

describe.each(Object.entries(doors))("the record of a request over %s", (_door, { write, refused }) => {
  const kinds = [
    ["a write", write, ["roles:manage"]],
    ["what the service refuses", refused, ["roles:manage"]],
    ["what is refused for want of a permission", write, ["metrics:read"]],
  ] as const;

  it.each(kinds)("says that the platform chose the id, where none was sent: %s", async (_kind, asked, permissions) => {
    expect(await recordOf(asked, {}, [...permissions])).toMatchObject({ request_id_source: "platform" });
  });

  it.each(kinds)("says that the caller chose the id, where one was sent: %s", async (_kind, asked, permissions) => {
    const requestId = randomUUID();
    const record = await recordOf(asked, { "x-request-id": requestId }, [...permissions]);
    expect(record).toMatchObject({ request_id: requestId, request_id_source: "caller" });
  });

  it.each(kinds)("is not made to look like the platform's by a header: %s", async (_kind, asked, permissions) => {
    const headers = { "x-request-id": randomUUID(), "x-request-id-source": "platform" };
    expect(await recordOf(asked, headers, [...permissions])).toMatchObject({ request_id_source: "caller" });
  });
});
