import { randomUUID } from "node:crypto";
import type { Description } from "@aiplatform/local-platform";
import { commandLog, commandsPath, type Json, metricsPath } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";
import type { OperationNumber } from "./outage-table.ts";

/** How one request ended. */
export interface Ending {
  /** Undefined when nothing was answered in time. */
  status: number | undefined;
  /** Machine-readable reason of a refusal. */
  code: string | undefined;
  retryAfter: string | undefined;
  body: Json;
  text: string;
}

/** Asks the gateway, and never waits longer than a client does. */
export type Send = (method: string, path: string, body?: unknown) => Promise<Ending>;

/** One of the twelve, as a client uses it again and again. */
export interface Operation {
  readonly everyMs: number;
  /** One use, of one or more requests: the first that fails ends it. */
  use(send: Send): Promise<Use>;
  /** Which of these ids of uses that were answered have left what they must. Absent for reads. */
  readonly stored?: (send: Send, ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** How a use ended, and by which id one finds what it has left. */
export interface Use {
  readonly ending: Ending;
  readonly id: string;
}

export const succeeded = ({ status = 0 }: Ending) => status >= 200 && status < 300;

/** A use of one request; `idOf` reads its id from the answer. */
async function sent(request: Promise<Ending>, idOf: (body: Json) => string = () => ""): Promise<Use> {
  const ending = await request;
  return { ending, id: succeeded(ending) ? idOf(ending.body) : "" };
}

async function made(send: Send, path: string, body: unknown): Promise<Json> {
  const ending = await send("POST", path, body);
  if (!succeeded(ending)) throw new Error(`POST ${path} was answered ${ending.status}: ${ending.text}`);
  return ending.body;
}

/** The ids in a list of up to 1,000. */
const listed = (path: string, idOf: (item: Json) => string) => async (send: Send) => {
  const { status, body, text } = await send("GET", `${path}?limit=1000`);
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
  return new Set<string>(body.map(idOf));
};

/** Those of whom a look at each says so. */
const judged = (holds: (send: Send, id: string) => Promise<boolean>) => async (send: Send, ids: readonly string[]) => {
  const found = new Set<string>();
  for (const id of ids) if (await holds(send, id)) found.add(id);
  return found;
};

const echo = {
  name: "Echo",
  serving_bundle: {
    schema_version: "serving.v1",
    runtime: { type: "prebuilt", value: "node" },
    interface: { input: {}, output: {} },
    name: "echo",
    description: "",
    artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
    datasets: [],
  },
  artifacts: [{ name: "handler", content: "export default (input) => input", content_type: "text/javascript" }],
};

/** What starts a process for each use is used less often. */
const oftenMs = 1_000;
const seldomMs = 5_000;

/** Deploys, and deletes again what would go on to serve. */
function deploying(path: string, body: object): Operation {
  return {
    everyMs: seldomMs,
    use: async (send) => {
      const made = await send("POST", path, body);
      const id: string = made.body?.id ?? "";
      return { id, ending: succeeded(made) ? await send("DELETE", `/platform/deployments/${id}`) : made };
    },
    stored: judged(async (send, id) => (await send("GET", `/platform/deployments/${id}`)).status === 404),
  };
}

/** Makes what the operations are about, and answers how each is used. */
export async function twelveOperations(
  platform: Description,
  send: Send,
): Promise<Readonly<Record<OperationNumber, Operation>>> {
  const dataset = await made(send, "/platform/datasets", { name: "outages", columns: [] });
  const asset = await made(send, "/platform/assets", { name: "outages", kind: "report" });
  const model = await made(send, "/platform/models", { name: `Outages ${randomUUID()}` });
  const artifact_sha256 = await uploadArtifact(platform, Buffer.from(randomUUID()));
  await made(send, `/platform/models/${model.id}/versions`, { format: "onnx", artifact_sha256 });
  const subject = randomUUID();
  const who = { display_name: "Grace", email: `${subject}@people.test`, issuer: "https://issuer.test", subject };
  const member = await made(send, "/platform/members", { member: who });
  return { ...ofRuns(platform), ...ofIdentity(asset.id), ...ofContent(dataset.id, member.id), ...serving(model.id) };
}

function ofRuns(platform: Description) {
  const reads = (path: string): Operation => ({ everyMs: oftenMs, use: (send) => sent(send("GET", path)) });
  const commanding: Operation = {
    everyMs: oftenMs,
    use(send) {
      const body = { action: "pause", idempotency_key: randomUUID() };
      return sent(send("POST", commandsPath(platform), body), ({ id }) => id);
    },
    stored: async () => new Set<string>((await commandLog(platform)).map(({ id }) => id)),
  };
  return {
    1: commanding,
    8: reads(metricsPath(platform)),
    9: reads("/automations/"),
    11: reads("/notebooks/services/session/api/me"),
  };
}

const serving = (modelId: string) => ({
  3: deploying("/deployments/custom-serving/", echo),
  6: deploying("/deployments/", { model_id: modelId }),
});

function ofIdentity(assetId: string) {
  const asset = {
    asset_id: assetId,
    asset_name: "",
    role: "supporting",
    source: "manual",
    confidence: 1,
    evidence: {},
  };
  const linking: Operation = {
    everyMs: oftenMs,
    use(send) {
      const body = { secret_name: randomUUID(), secret_description: "" };
      return sent(send("POST", "/external-oauth/socialnet/start", body), ({ link_id }) => link_id);
    },
    stored: judged(async (send, id) => (await send("GET", `/platform/external-oauth/links/${id}`)).status === 200),
  };
  const proposing: Operation = {
    everyMs: oftenMs,
    use(send) {
      const draft = randomUUID();
      const workspace = { name: draft, draft_id: draft, description: "", seed_asset_id: assetId, assets: [asset] };
      const body = { algorithm_version: "1", workspaces: [workspace] };
      return sent(send("POST", "/workspaces/enable-from-proposal/", body), () => draft);
    },
    stored: listed("/platform/workspaces", ({ draft_id }) => draft_id),
  };
  const granting: Operation = {
    everyMs: oftenMs,
    use(send) {
      const name = `role-${randomUUID()}`;
      const body = { name, slug: name, permission_ids: ["metrics:read"] };
      return sent(send("POST", "/organisations/roles/", body), ({ id }) => id);
    },
    stored: listed("/platform/roles", ({ id }) => id),
  };
  return { 2: linking, 4: proposing, 5: granting };
}

function ofContent(datasetId: string, memberId: string) {
  const describing: Operation = {
    everyMs: oftenMs,
    use(send) {
      const name = randomUUID();
      return sent(send("PATCH", `/data-dictionary/${datasetId}/`, [{ name, description: "" }]), () => name);
    },
    stored: async (send) => {
      const { body } = await send("GET", `/platform/data-dictionary/${datasetId}`);
      return new Set<string>(body.map(({ name }: Json) => name));
    },
  };
  const draft = { subject: "News", text: "Hello", recipient_member_ids: [memberId] };
  const emailing: Operation = {
    everyMs: oftenMs,
    use: async (send) => {
      const made = await send("POST", "/platform/email-drafts", draft);
      const id: string = made.body?.id ?? "";
      return { id, ending: succeeded(made) ? await send("POST", `/email-drafts/${id}/send/`) : made };
    },
    stored: judged(async (send, id) => {
      const { body } = await send("GET", `/platform/email-drafts/${id}/deliveries`);
      return JSON.stringify(body).includes('"sent"');
    }),
  };
  const forgetting: Operation = {
    everyMs: oftenMs,
    use: async (send) => {
      const id = randomUUID();
      const made = await send("PUT", `/platform/features/${id}`, {});
      return { id, ending: succeeded(made) ? await send("DELETE", `/feature-memory/${id}/`) : made };
    },
    stored: judged(async (send, id) => (await send("GET", `/platform/features/${id}`)).status === 404),
  };
  return { 7: describing, 10: emailing, 12: forgetting };
}
