import { createHash, randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport, type MeshTransport } from "@aiplatform/service-host";
import type { JsonValue } from "@bufbuild/protobuf";
import { MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { internalCalls } from "../mesh/internal-calls.ts";
import { type IdPosition, idPositions, rpcs } from "./contract-rpcs.ts";
import { Administrator, deletable, type Kind, OrganisationEnvironment } from "./organisation-environment.ts";
import { type CallEnd, callRest, callRpc, type Input } from "./rpc-calls.ts";
import { type Standing, tenancyMatrix } from "./tenancy-matrix.ts";
import { requests } from "./tenancy-requests.ts";

let running: LocalPlatform;
let own: OrganisationEnvironment;
let foreign: OrganisationEnvironment;
/** Further things of the other organisation, by the credential that is to meet them. */
let spare: Map<string, OrganisationEnvironment["ids"]>;
let transports: Record<string, MeshTransport>;
let foreignBefore: Map<string, string>;
const deleted = new Map<Kind, string>();
const over = new AbortController();

sharedPlatform((started) => (running = started));
beforeAll(async () => {
  const { description } = running;
  own = await OrganisationEnvironment.of(running, description.bearer, over.signal);
  foreign = await OrganisationEnvironment.of(running, description.foreign.bearer, over.signal);
  const administrator = new Administrator(running, description.foreign.bearer, over.signal);
  spare = new Map();
  for (const [credential] of credentials) spare.set(credential, await administrator.oneOfEach());
  await administrator.untilAudited(1 + spare.size);
  // The demo has a pipeline of its own there.
  await administrator.knownToDeployments(foreign.organisationId, {
    datasets: 1 + spare.size,
    pipelines: 2 + spare.size,
  });
  await deleteOneOfEach();
  const interceptors = [internalCalls(running.directory)];
  transports = Object.fromEntries(
    Object.entries(description.grpc).map(([owner, addresses]) => [
      owner,
      createMeshTransport({ addresses, interceptors }),
    ]),
  );
  foreignBefore = await documentsOf(foreign.organisationId);
}, 120_000);

afterAll(async () => {
  over.abort();
  for (const transport of Object.values(transports ?? {})) transport.close();
});

async function deleteOneOfEach(): Promise<void> {
  const administrator = new Administrator(running, running.description.bearer, over.signal);
  const asset = await administrator.asset();
  const made = {
    role: await administrator.role(),
    workspace: await administrator.workspace(asset),
    asset,
    dataset: await administrator.dataset(),
    automation: await administrator.automation(),
    email_draft: await administrator.emailDraft(await administrator.member()),
    deployment: (await administrator.deployment((await administrator.model()).model)).deployment,
  };
  for (const [kind, id] of Object.entries(made) as [keyof typeof made, string][]) {
    const path = `${deletable[kind]}/${id}`;
    await administrator.asked(path, undefined, "DELETE");
    if (kind === "deployment") await administrator.gone(path);
    deleted.set(kind, id);
  }
}

/** Every document of an organisation in every database, by where it lies, as a fingerprint. */
async function documentsOf(organisationId: string): Promise<Map<string, string>> {
  await using client = await MongoClient.connect(running.mongodbUri);
  const found = new Map<string, string>();
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((each) => !["admin", "config", "local"].includes(each.name))) {
    for (const { collectionName } of await client.db(name).collections()) {
      const documents = client.db(name).collection(collectionName).find({ organisation_id: organisationId });
      for await (const document of documents) {
        // Publishing what was staged before is not a change of what the organisation has.
        // Nor is when its own credentials were last seen, nor which replica reconciles its deployments.
        const { published, published_at, last_seen_at, last_used_at, lease, ...rest } = document;
        const text = JSON.stringify(rest);
        found.set(`${name}.${collectionName}.${rest._id}`, createHash("sha256").update(text).digest("hex"));
      }
    }
  }
  return found;
}

/** The request with one id in its place replaced. */
function withId(input: Input, [name = "", ...inner]: readonly string[], id: string): Input {
  const value = input[name];
  const replaced = inner.length === 0 ? id : undefined;
  const into = (each: JsonValue | undefined): JsonValue => replaced ?? withId(asObject(each), inner, id);
  if (Array.isArray(value)) return { ...input, [name]: [into(value[0]), ...value.slice(1)] };
  return { ...input, [name]: into(value) };
}

function asObject(value: JsonValue | undefined): Input {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

async function answerTo(position: IdPosition, id: string, credential: string): Promise<CallEnd> {
  const request = requests[position.rpc.name];
  const transport = transports[position.rpc.owner];
  if (!request) throw new Error(`there is no request for ${position.rpc.name}`);
  const input = withId(request(own, position.path), position.path, id);
  const { gateway } = running.description;
  const end = position.inRest
    ? await callRest(gateway, position.rpc, input, credential)
    : await callRpc(transport ?? noAddress(position), position.rpc, input, credential);
  return { ...end, text: withoutFreshValues(end.text.replaceAll(id, "<the id>")) };
}

function noAddress({ rpc }: IdPosition): never {
  throw new Error(`there is no address for ${rpc.name}`);
}

/** What two equal requests may differ in: ids and times made for each, places in a log, and who was the first to say so. */
function withoutFreshValues(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/"(?:created|updated)_by_member_id":(?:null|"<uuid>")/g, "<who said so>")
    .replaceAll(/sequence(?:":| )\d+/g, "<sequence>");
}

/** Kinds whose ids are minted by callers, or could be. */
const mintable = ["asset", "attachment", "checkpoint", "command", "delegation"] as const;

/** Ids that are not the organisation's, or not of that kind. */
function idsThatAreNot(standing: Standing, credential: string): [string, string][] {
  if (typeof standing !== "string") {
    return mintable.map((kind) => [`another's ${kind}`, spare.get(credential)?.[kind] ?? ""]);
  }
  const gone = deleted.get(standing);
  // A pipeline is an asset as well.
  const isPipeline = standing === "pipeline" || standing === "asset";
  return [
    ["another organisation's", foreign.ids[standing]],
    ["one of another kind", isPipeline ? own.ids.role : own.ids.pipeline],
    ...(gone ? [["a deleted one", gone] satisfies [string, string]] : []),
  ];
}

const credentials: [string, () => string][] = [
  ["a bearer token", () => running.description.bearer],
  ["an API key", () => running.description.api_key],
];

describe("the table of ids", () => {
  it("has a row for every place in the contract where an id can stand", () => {
    expect(Object.keys(tenancyMatrix).sort()).toEqual(idPositions.map(({ name }) => name).sort());
  });

  it("has a right request for every RPC with such a place, and for no other", () => {
    const named = rpcs.filter(({ name }) => idPositions.some(({ rpc }) => rpc.name === name));
    expect(Object.keys(requests).sort()).toEqual(named.map(({ name }) => name).sort());
  });
});

/** Both kinds of credential become the same caller before any id is read, so the places take turns. */
const takingTurns = credentials.map(
  ([kind, credential], turn) =>
    [kind, credential, idPositions.filter((_, index) => index % credentials.length === turn)] as const,
);

describe.each(takingTurns)("a caller with %s", (kind, credential, positions) => {
  it.each(positions.map((position) => [position.name, position] as const))(
    "cannot tell at %s another organisation's id from one that does not exist",
    async (name, position) => {
      const standing = tenancyMatrix[name];
      if (!standing) throw new Error(`${name} has no row`);
      const expected = await answerTo(position, randomUUID(), credential());
      for (const [what, id] of idsThatAreNot(standing, kind)) {
        expect({ what, ...(await answerTo(position, id, credential())) }).toEqual({ what, ...expected });
      }
    },
  );
});

describe("another organisation", () => {
  it("has afterwards what it had before, and nothing of it was announced", async () => {
    expect(await documentsOf(foreign.organisationId)).toEqual(foreignBefore);
  });
});

/** What ends a thing comes last: it was needed until then. */
const ends = ({ rpc }: IdPosition) => /\/(Delete|Purge|Revoke|Release|Rotate|Deactivate)/.test(rpc.name);

describe("an id of the caller's own", () => {
  const named = idPositions.filter(({ name }) => typeof tenancyMatrix[name] === "string");
  const told = [...named.filter((position) => !ends(position)), ...named.filter(ends)];

  it.each(told.map((position) => [position.name, position] as const))(
    "is told at %s from others",
    async (name, position) => {
      const standing = tenancyMatrix[name];
      if (typeof standing !== "string") throw new Error(`${name} is no id of a thing`);
      const { bearer } = running.description;
      const unknown = await answerTo(position, randomUUID(), bearer);
      const known = await answerTo(position, own.ids[standing], bearer);
      expect([known.status, known.text]).not.toEqual([unknown.status, unknown.text]);
    },
  );
});
