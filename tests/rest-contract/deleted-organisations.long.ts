import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { MediaKind } from "@aiplatform/contract/aiplatform/training/v1/media";
import { ownedCollections } from "@aiplatform/document-store";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { type Document, MongoClient } from "mongodb";
import { beforeAll, describe, expect, it } from "vitest";
import { processesNaming } from "../../services/deployments/tests/processes-of.ts";
import { OrganisationEnvironment, promptStep } from "../access/organisation-environment.ts";
import { ownPlatform, withoutCredentialLimit } from "../infra/own-platform.ts";
import { attachTrainer } from "../load/trainer-stream.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { databases, documentsNaming, pathsNaming } from "../mesh/traces-of-organisation.ts";
import { operations } from "../openapi/description.ts";
import { anonymousOperations, byOperator, Stage, story, unavailableHere } from "../openapi/story.ts";
import { Storyteller } from "../openapi/storyteller.ts";
import { declaredIndexes } from "./declared-indexes.ts";

/** Limits that are near enough for requests to take turns: what that leaves is to be removed as well. */
const quotas: Readonly<Record<string, object>> = {
  identity: { members: 50 },
  content: { email_drafts: 50 },
  deployments: { deployments: 50 },
};
const settings = Object.fromEntries(
  databases.map((name) => {
    const limits = quotas[name];
    const own = limits ? { QUOTAS: JSON.stringify(limits) } : {};
    // Long enough to find a service at work on a purge.
    return [name, { ...withoutCredentialLimit[name], ...own, PURGE_SETTLE_MS: "3000" }];
  }),
);
/** What the story would take away again, and what it does to other organisations. */
const untold =
  /^(delete(Automation|EmailDraft|Deployment|Dataset|Workspace|Asset)|(create|suspend|restore|inspect|delete)Organisation|[gs]etOrganisationQuotas)$/;

let platform: LocalPlatform;
let operatorKey: string;
let deleted: { id: string; slug: string };
let other: OrganisationEnvironment;
let before: { deleted: Map<string, Document[]>; other: Map<string, Document[]> };
const over = new AbortController();
ownPlatform((started) => (platform = started), { settings, separate: "all" });

const byOperatorAsked = (method: string, path: string, body?: Json) =>
  ask(platform.description, { method, path: `/platform/organisations${path}`, body, bearer: operatorKey });
const inspect = (id: string) => byOperatorAsked("GET", `/${id}`);
const suspend = (id: string) => byOperatorAsked("POST", `/${id}/suspend`);
const deleteIt = ({ id, slug }: { id: string; slug: string }) =>
  byOperatorAsked("DELETE", `/${id}?confirm_slug=${encodeURIComponent(slug)}`);

async function newOrganisation(slug = `s-${randomUUID()}`.slice(0, 30)): Promise<{ id: string; slug: string }> {
  const administrator = { display_name: "Ada", email: `${randomUUID()}@example.com` };
  const { status, body } = await byOperatorAsked("POST", "", { slug, name: "To be deleted", administrator });
  expect(status).toBe(201);
  return body.organisation;
}

/** Tells the story of the public API in the organisation, as far as it leaves something. */
async function tellTheStory(): Promise<void> {
  const teller = new Storyteller(platform.description);
  const stage = await Stage.of(platform, teller);
  operatorKey = stage.operatorKey;
  for (const id of story.filter((name) => !untold.test(name) && !unavailableHere.has(name))) {
    const described = operations.get(id);
    if (!described) throw new Error(`there is no ${id}`);
    const credential = anonymousOperations.has(id) ? null : byOperator.has(id) ? operatorKey : stage.platform.bearer;
    await stage.prepare(id);
    const { status, text } = await teller.tell(described, credential);
    if (status !== described.status) throw new Error(`${id} was answered ${status}: ${text}`);
  }
}

/** Reports a metric, and a text beside it. */
async function reportMetric(): Promise<void> {
  const transport = createMeshTransport({ addresses: platform.description.grpc.training });
  const run = await newRun(platform.description);
  const job = { pipelineId: run.pipeline_id, runId: run.run_id, name: run.job_name };
  const trainer = await attachTrainer(transport, platform.description.api_key, job);
  const columns = [{ name: "loss", steps: [1], values: [0.5], observedAtMs: 0 }];
  const media = [{ name: "note", step: 1, kind: MediaKind.TEXT, content: { case: "text", value: "hello" } as const }];
  const report = async function* () {
    yield { ...trainer.address, counter: 1, segmentIndex: 0, columns, media };
  };
  for await (const { durableCounter } of trainer.trainers.report(report(), trainer.options)) {
    if (durableCounter === 1) break;
  }
  await trainer.close();
  transport.close();
}

/** Has an event start an automation, publishes one with a schedule, and forgets a feature. */
async function triggerAndForget(): Promise<void> {
  const asked = async (path: string, body?: Json, method?: string) => {
    const headers = path.endsWith("/publish") ? { "if-match": "*" } : {};
    const wanted = { path, body, headers, ...(method ? { method } : {}) };
    const answer = await ask(platform.description, wanted);
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const { id } = await asked("/platform/automations", { name: "Triggered" });
  await asked(
    `/platform/automations/${id}/draft`,
    { steps: [promptStep], trigger: { event: "content.dataset.created" } },
    "PUT",
  );
  await asked(`/platform/automations/${id}/publish`, undefined, "POST");
  const { id: scheduled } = await asked("/platform/automations", { name: "Scheduled" });
  const trigger = { event: "schedule", schedule: { cron: "0 0 29 2 *" } };
  await asked(`/platform/automations/${scheduled}/draft`, { steps: [promptStep], trigger }, "PUT");
  await asked(`/platform/automations/${scheduled}/publish`, undefined, "POST");
  await asked("/platform/datasets", { name: "Trigger", columns: [{ name: "price" }] });
  await until(
    "a run",
    60,
    () => asked(`/platform/automations/${id}/runs`),
    (runs: Json[]) => runs.length > 0,
  );
  const key = randomUUID();
  await asked(`/platform/features/${key}`, {}, "PUT");
  await asked(`/feature-memory/${key}/?dry_run=false`, undefined, "DELETE");
}

/** Deletes a run, of which a document remains until all of its data is gone. */
async function deleteRun(): Promise<void> {
  const { pipeline_id, run_id } = await newRun(platform.description);
  const path = `/platform/pipelines/${pipeline_id}/runs/${run_id}`;
  const { status } = await ask(platform.description, { method: "DELETE", path });
  expect(status).toBe(200);
}

/** Services store a snapshot after hundreds of commands only, vectors of an embedding until it is ready, and of deleted runs those that read data. */
async function storeWhatIsRare(): Promise<void> {
  await using client = await MongoClient.connect(platform.mongodbUri);
  for (const [database, name] of [
    ["training", "job_snapshots"],
    ["training", "deleted_runs"],
    ["data", "dataset_embedding_parts"],
  ]) {
    const rare = client.db(database).collection<{ _id: string; organisation_id: string }>(name ?? "");
    await rare.insertOne({ _id: randomUUID(), organisation_id: platform.description.organisation_id });
  }
}

/** What a service knows of a deletion. */
async function purgeStateOf(service: (typeof databases)[number], id: string): Promise<string | undefined> {
  await using client = await MongoClient.connect(platform.mongodbUri);
  const purges = client.db(service).collection<{ _id: string; state: string }>("deleted_organisations");
  return (await purges.findOne({ _id: id }))?.state;
}

/** Processes that serve a version of the organisation. */
async function instances(): Promise<number[]> {
  const versions = before.deleted.get("deployments.deployment_versions") ?? [];
  return (await Promise.all(versions.map(({ _id }) => processesNaming(String(_id))))).flat();
}

const untilDeleted = (id: string) =>
  until(
    "the organisation to be deleted",
    120,
    () => inspect(id),
    ({ body }) => body.state === "deleted",
  );

beforeAll(async () => {
  await tellTheStory();
  await OrganisationEnvironment.of(platform, platform.description.bearer, over.signal);
  other = await OrganisationEnvironment.of(platform, platform.description.foreign.bearer, over.signal);
  await reportMetric();
  await triggerAndForget();
  await storeWhatIsRare();
  const { body } = await inspect(platform.description.organisation_id);
  deleted = body;
  expect((await byOperatorAsked("PUT", `/${deleted.id}/quotas`, { members: 5_000 })).status).toBe(200);
  await deleteRun();
  before = {
    deleted: await documentsNaming(platform.mongodbUri, deleted.id),
    other: await documentsNaming(platform.mongodbUri, other.organisationId),
  };
  return () => over.abort();
}, 300_000);

describe("DELETE /platform/organisations/{organisation_id} refuses", () => {
  it("an organisation that is active, and says what to do first", async () => {
    const { status, body } = await deleteIt(await newOrganisation());
    expect([status, body.code]).toEqual([409, "organisation_not_suspended"]);
    expect(body.detail).toContain("suspend it first");
  });

  it.each([
    ["no slug", ""],
    ["the slug of another one", "?confirm_slug=another"],
  ])("%s to confirm it, and names the parameter", async (_, query) => {
    const { id } = await newOrganisation();
    await suspend(id);
    const { status, body } = await byOperatorAsked("DELETE", `/${id}${query}`);
    expect([status, body.detail[0].loc]).toEqual([422, ["query", "confirm_slug"]]);
    expect((await inspect(id)).body).toMatchObject({ state: "suspended", deletion: null });
  });

  it("an organisation that there is not, and what is no id", async () => {
    expect((await deleteIt({ id: randomUUID(), slug: "any" })).status).toBe(404);
    expect((await inspect(randomUUID())).status).toBe(404);
    expect((await deleteIt({ id: "no-id", slug: "any" })).status).toBe(422);
  });

  it.each(["DELETE", "GET"])("everyone but the operator, as %s does", async (method) => {
    const path = `/platform/organisations/${deleted.id}?confirm_slug=${deleted.slug}`;
    const { status, body } = await ask(platform.description, { method, path, bearer: other.bearer });
    expect([status, body.code]).toEqual([403, "permission_missing"]);
  });
});

describe("the organisation that is deleted here", () => {
  it("has documents in every collection that a service declares as the organisations' own", () => {
    const declared = databases.flatMap((database) =>
      ownedCollections(declaredIndexes[database]).map(({ name }) => `${database}.${name}`),
    );
    const empty = declared.filter((name) => !before.deleted.has(name));
    expect(empty).toEqual([]);
  });

  it("has an instance that serves, and artifacts", async () => {
    await until("an instance", 60, instances, (pids) => pids.length > 0);
    expect(await pathsNaming(join(platform.directory, "artifacts"), deleted.id)).not.toEqual([]);
  });

  it("is deleted once a service that was killed in the middle of it is back, and not before", async () => {
    await suspend(deleted.id);
    await platform.kill("content", "SIGKILL");
    const { status, body } = await deleteIt(deleted);
    expect([status, body]).toMatchObject([200, { id: deleted.id, state: "deleting", deletion: { deleted_at: null } }]);
    const state = () => purgeStateOf("deployments", deleted.id);
    await until("deployments to be at it", 30, state, (found) => found === "purging");
    await platform.kill("deployments", "SIGKILL");
    const services = ({ body: shown }: { body: Json }) =>
      Object.fromEntries(shown.deletion.services.map(({ service, purged_at }: Json) => [service, purged_at !== null]));
    const others = (answer: { body: Json }) => services(answer)["training"] && services(answer)["data"];
    const shown = await until("training and data to be done", 60, () => inspect(deleted.id), others);
    expect([shown.body.state, services(shown)]).toEqual([
      "deleting",
      { content: false, data: true, deployments: false, training: true },
    ]);
    expect((await deleteIt(deleted)).body).toEqual((await inspect(deleted.id)).body);
    await Promise.all([platform.restart("content"), platform.restart("deployments")]);
    const { body: end } = await untilDeleted(deleted.id);
    expect(end).toMatchObject({ id: deleted.id, slug: "", name: "", state: "deleted" });
    expect(end.deletion.deleted_at).not.toBeNull();
  }, 240_000);

  it("has left a tombstone in each database, and what tells of the deletion", async () => {
    const left = await documentsNaming(platform.mongodbUri, deleted.id);
    expect([...left.keys()].toSorted()).toEqual(
      [
        ...databases.flatMap((database) => [`${database}.deleted_organisations`, `${database}.outbox`]),
        "identity.audit_records",
        "identity.organisations",
      ].toSorted(),
    );
    for (const database of databases) {
      expect(left.get(`${database}.deleted_organisations`)).toMatchObject([{ _id: deleted.id, state: "purged" }]);
      const types = left.get(`${database}.outbox`)?.map(({ type }) => type) ?? [];
      expect(types.every((type) => /\.organisation\.(deletion_requested|purged|deleted)\.v1$/.test(type))).toBe(true);
    }
    expect(left.get("identity.audit_records")?.every(({ installation }) => installation)).toBe(true);
    expect(left.get("identity.organisations")).toMatchObject([{ _id: deleted.id, state: "deleted", name: "" }]);
    expect(JSON.stringify(left.get("identity.organisations"))).not.toContain(deleted.slug);
  });

  it("has left no artifact, no upload and no instance", async () => {
    expect(await instances()).toEqual([]);
    expect(await pathsNaming(join(platform.directory, "artifacts"), deleted.id)).toEqual([]);
  });

  it("is in the log of the installation: who deleted it, and when", async () => {
    const wanted = { path: "/platform/installation/audit?limit=1000", bearer: operatorKey };
    const look = async () => {
      const { body } = await ask(platform.description, wanted);
      return body.filter(({ organisation_id }: Json) => organisation_id === deleted.id);
    };
    const isLast = ([newest]: Json[]) => newest?.action === "identity.organisation.deleted";
    const records = await until("the record", 30, look, isLast);
    expect(records.map(({ action }: Json) => action)).toEqual([
      "identity.organisation.deleted",
      "identity.organisation.deletion_requested",
      "identity.organisation.suspended",
      "identity.organisation.quotas_set",
      "identity.organisation.created",
    ]);
    for (const record of records) expect(record).toMatchObject({ actor: { credential_id: "operator" } });
  });

  it("has no credential left, and cannot be restored, suspended, given quotas or deleted in another way", async () => {
    expect((await ask(platform.description, { path: "/platform/organisation" })).status).toBe(401);
    const refused = [await byOperatorAsked("PUT", `/${deleted.id}/quotas`, { members: 5 })];
    for (const to of ["restore", "suspend"]) refused.push(await byOperatorAsked("POST", `/${deleted.id}/${to}`));
    for (const { status, body } of refused) expect([status, body.code]).toEqual([409, "organisation_deleted"]);
    expect((await deleteIt(deleted)).body).toEqual((await inspect(deleted.id)).body);
  });

  it("has left its slug, which another organisation can have", async () => {
    const { id } = await newOrganisation(deleted.slug);
    expect((await inspect(id)).body).toMatchObject({ slug: deleted.slug, state: "active" });
  });

  it("has taken nothing along of another organisation", async () => {
    const after = await documentsNaming(platform.mongodbUri, other.organisationId);
    // What has a time of its own, or is written with every request, may have changed.
    for (const [place, documents] of before.other) {
      const left = new Set(after.get(place)?.map(({ _id }) => String(_id)));
      const gone = documents.filter(({ _id }) => !left.has(String(_id)));
      expect([place, gone]).toEqual([place, []]);
    }
    const answer = await ask({ ...platform.description, bearer: other.bearer }, { path: "/platform/organisation" });
    expect(answer.status).toBe(200);
  });
});
