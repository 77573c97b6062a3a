import { randomUUID } from "node:crypto";
import { type Answer, type Json, until } from "../mesh/rest.ts";
import type { FaultyPlatform } from "./faulty-platform.ts";
import type { Story } from "./tale.ts";

const keyed = () => ({ "idempotency-key": randomUUID() });

async function createRole(environment: FaultyPlatform) {
  const slug = `r${randomUUID()}`;
  return {
    request: {
      path: "/organisations/roles/",
      body: { name: "Faults", slug, permission_ids: ["metrics:read"] },
      headers: keyed(),
    },
    causes: { service: "identity", events: ["aiplatform.identity.role.created.v1"] },
    records: 1,
    expected: { answered: true, roles: 1 },
    async found({ body }: Json) {
      const roles: Json[] = (await environment.read("/platform/roles")).filter((role: Json) => role.slug === slug);
      return { answered: roles[0]?.id === body.id, roles: roles.length };
    },
  };
}

async function enableFromProposal(environment: FaultyPlatform) {
  const { asset } = await environment.made("AssetService/RegisterAsset", { name: randomUUID(), kind: "report" });
  const draft = randomUUID();
  const assets = [{ asset_id: asset.id, role: "primary", source: "manual", confidence: 1 }];
  return {
    request: {
      path: "/workspaces/enable-from-proposal/",
      body: { algorithm_version: "1", workspaces: [{ name: "Faults", draft_id: draft, assets }] },
      headers: keyed(),
    },
    // An organisation's proposals are accepted one after the other, so that each waits for those that hang.
    timeoutSeconds: 180,
    causes: { service: "identity", events: ["aiplatform.identity.workspace_settings.proposal_accepted.v1"] },
    records: 1,
    expected: { enabled: true, assets: [[asset.id]] },
    async found({ body }: Json) {
      const all: Json[] = await environment.read("/platform/workspaces");
      const own = all.filter((workspace) => workspace.draft_id === draft);
      const members = own.map(({ id }) => environment.read(`/platform/workspaces/${id}/assets`));
      const ids = (await Promise.all(members)).map((list: Json[]) => list.map(({ asset_id }) => asset_id));
      return { enabled: body.workspaces_enabled, assets: ids };
    },
  };
}

async function startSocialnetLink(environment: FaultyPlatform) {
  const secret = randomUUID();
  return {
    request: { path: "/external-oauth/socialnet/start", body: { secret_name: secret }, headers: keyed() },
    causes: { service: "identity", events: ["aiplatform.identity.external_link.started.v1"] },
    records: 1,
    expected: { links: ["pending"], answered: true },
    async found({ body }: Json) {
      const all: Json[] = await environment.read("/platform/external-oauth/links");
      const own = all.filter((link) => link.secret_name === secret);
      return { links: own.map(({ status }) => status), answered: own[0]?.id === body.link_id };
    },
  };
}

/** With a key that the gateway has not seen: identity is asked who that is. */
async function getNotebookSession(environment: FaultyPlatform) {
  const permissionIds = ["notebooks:use"];
  const { apiKey, secret } = await environment.made("ApiKeyService/CreateApiKey", { name: "Faults", permissionIds });
  return {
    request: { path: "/notebooks/services/session/api/me", bearer: secret },
    expected: { kind: "api_key", username: `key-${apiKey.id}` },
    found: async ({ body }: Json) => ({ kind: body.kind, username: body.identity?.username }),
  };
}

/** A call that the gateway refuses, which is recorded all the same. */
async function refusedCall(environment: FaultyPlatform) {
  const { secret } = await environment.made("ApiKeyService/CreateApiKey", {
    name: "Faults",
    permissionIds: ["metrics:read"],
  });
  return {
    request: {
      path: "/organisations/roles/",
      body: { name: "No", slug: "no", permission_ids: [] },
      bearer: secret,
    },
    status: 403,
    records: 1,
    expected: 1,
    found: ({ headers }: Answer) => {
      const id = headers.get("x-request-id") ?? "";
      const look = async () => (await environment.audit.counts([id])).get(id) ?? 0;
      // It is announced a moment after its answer.
      return until("the record of a refusal", 40, look, (count) => count > 0);
    },
  };
}

/** Of the service that keeps organisations. */
export const identityStories: readonly Story[] = [
  { title: "createRole", operation: "createRole", prepare: createRole },
  { title: "enableFromProposal", operation: "enableFromProposal", prepare: enableFromProposal },
  { title: "startSocialnetLink", operation: "startSocialnetLink", prepare: startSocialnetLink },
  { title: "getNotebookSession", operation: "getNotebookSession", prepare: getNotebookSession },
  { title: "a refused call", operation: "createRole", prepare: refusedCall },
];
