import { createHash, randomUUID } from "node:crypto";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport, type MeshTransport } from "@aiplatform/service-host";
import { createClient } from "@connectrpc/connect";
import { MongoClient } from "mongodb";
import { internalCalls } from "../mesh/internal-calls.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";
import { rpcs } from "./contract-rpcs.ts";
import { callRpc } from "./rpc-calls.ts";

/** What an id can be the id of. */
const kinds = [
  "role",
  "member",
  "api_key",
  "session",
  "delegation",
  "link",
  "workspace",
  "asset",
  "dataset",
  "dataset_version",
  "dataset_embedding",
  "automation",
  "automation_run",
  "feature",
  "email_draft",
  "model",
  "model_version",
  "deployment",
  "deployment_version",
  "pipeline",
  "run",
  "command",
  "checkpoint",
  "media",
  "attachment",
  "supervision",
  "lease_token",
] as const;
export type Kind = (typeof kinds)[number];

/** Kinds whose things can be deleted, and the path to delete them at. */
export const deletable: Partial<Record<Kind, string>> = {
  role: "/platform/roles",
  workspace: "/platform/workspaces",
  asset: "/platform/assets",
  dataset: "/platform/datasets",
  automation: "/platform/automations",
  email_draft: "/platform/email-drafts",
  deployment: "/platform/deployments",
};

export const jobName = "table";
/** A job of the same run without a trainer. */
export const otherJobName = "other";
/** The job that nothing but `TakeJob` attaches to. */
export const takenJobName = "taken";
/** A column of every dataset. */
export const columnName = "table";
/** How rows of the version become vectors; the deployment is to be named. */
export const rowRecipe = { input: "texts", output: "vectors", template: `{{${columnName}}}` };
/** The artifact of every model's version. */
const modelArtifact = Buffer.from("table");
export const modelArtifactSha256 = createHash("sha256").update(modelArtifact).digest("hex");
/** A bundle whose handler cannot be loaded, so that its deployment comes to rest and nothing runs. */
export const deployedBundle = {
  serving_bundle: {
    schema_version: "serving.v1",
    runtime: { type: "prebuilt", value: "node" },
    interface: { input: {}, output: {} },
    name: "Table",
    artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
  },
  artifacts: [{ name: "handler", content: "throw new Error('Table');", content_type: "text/javascript" }],
};
/** A step of an automation. */
export const promptStep = { key: "table", name: "Table", prompt_template: { type: "prompt", text: "Table" } };

/** An organisation with one thing of every kind, and its administrator. */
export class OrganisationEnvironment {
  readonly organisationId: string;
  readonly bearer: string;
  readonly ids: Readonly<Record<Kind, string>>;

  private constructor(organisationId: string, bearer: string, ids: Record<Kind, string>) {
    this.organisationId = organisationId;
    this.bearer = bearer;
    this.ids = ids;
  }

  static async of(platform: LocalPlatform, bearer: string, signal: AbortSignal): Promise<OrganisationEnvironment> {
    const administrator = new Administrator(platform, bearer, signal);
    const { id } = await administrator.asked("/platform/organisation");
    return new OrganisationEnvironment(id, bearer, await administrator.oneOfEach());
  }
}

/** Makes things over the platform's own interfaces. */
export class Administrator {
  readonly #platform: LocalPlatform;
  readonly #bearer: string;
  readonly #signal: AbortSignal;
  readonly #training: MeshTransport;
  readonly #identity: MeshTransport;

  constructor(platform: LocalPlatform, bearer: string, signal: AbortSignal) {
    this.#platform = platform;
    this.#bearer = bearer;
    this.#signal = signal;
    this.#training = createMeshTransport({ addresses: platform.description.grpc.training });
    const interceptors = [internalCalls(platform.directory)];
    this.#identity = createMeshTransport({ addresses: platform.description.grpc.identity, interceptors });
    for (const transport of [this.#training, this.#identity]) {
      signal.addEventListener("abort", () => transport.close(), { once: true });
    }
  }

  /** Asks over REST; a body makes it a POST. Throws unless it succeeds. */
  async asked(path: string, body?: Json, method?: string, headers: Record<string, string> = {}): Promise<Json> {
    const wanted = { path, headers, ...(body ? { body } : {}), ...(method ? { method } : {}) };
    const answer = await ask({ ...this.#platform.description, bearer: this.#bearer }, wanted);
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  /** Resolves when a path is answered 404. */
  async gone(path: string): Promise<void> {
    const look = () => ask({ ...this.#platform.description, bearer: this.#bearer }, { path });
    await until(`nothing to be at ${path}`, 60, look, ({ status }) => status === 404);
  }

  async role(): Promise<string> {
    const slug = `r${randomUUID()}`;
    return (await this.asked("/organisations/roles/", { name: slug, slug, permission_ids: [] })).id;
  }

  async member(): Promise<string> {
    const email = `${randomUUID()}@example.com`;
    return (await this.asked("/platform/members", { member: { display_name: "Table", email }, role_ids: [] })).id;
  }

  async apiKey(): Promise<string> {
    return (await this.asked("/platform/api-keys", { name: "table", permission_ids: ["metrics:read"] })).api_key.id;
  }

  async delegation(): Promise<string> {
    const input = { delegation_id: randomUUID(), purpose: "table", permission_ids: ["metrics:read"] };
    await this.#rpc("DelegationService/CreateDelegation", input);
    return input.delegation_id;
  }

  async link(): Promise<string> {
    return (await this.asked("/external-oauth/socialnet/start", { secret_name: randomUUID() })).link_id;
  }

  async asset(): Promise<string> {
    return (await this.asked("/platform/assets", { name: `asset ${randomUUID()}`, kind: "report" })).id;
  }

  /** Resolves when identity has heard of it: then no event of the organisation is on its way. */
  async dataset(): Promise<string> {
    const { id } = await this.asked("/platform/datasets", { name: "Table", columns: [{ name: columnName }] });
    const assets = () => this.asked("/platform/assets?limit=1000");
    await until("the dataset to be an asset", 60, assets, (all: Json[]) => all.some((each) => each.id === id));
    return id;
  }

  /** Of the dataset; its rows can be read. */
  async datasetVersion(datasetId: string): Promise<string> {
    const bytes = Buffer.from(`${columnName}\n1\n`);
    const artifact_sha256 = await uploadArtifact({ ...this.#platform.description, bearer: this.#bearer }, bytes);
    const files = [{ artifact_sha256, name: "table.csv", format: "csv" }];
    const versions = `/platform/datasets/${datasetId}/versions`;
    const { id } = await this.asked(versions, { files });
    const look = () => this.asked(`${versions}/${id}`);
    await until("the version to be ready", 60, look, ({ state }) => state === "ready");
    return id;
  }

  /** Of the version; it was cancelled, so that nothing of it changes. */
  async datasetEmbedding(datasetId: string, versionId: string, deploymentId: string): Promise<string> {
    const embeddings = `/platform/datasets/${datasetId}/versions/${versionId}/embeddings`;
    const { id } = await this.asked(embeddings, { recipe: { ...rowRecipe, deployment_id: deploymentId } });
    await this.asked(`${embeddings}/${id}/cancel`, {});
    return id;
  }

  async workspace(assetId: string): Promise<string> {
    const asset = { asset_id: assetId, role: "primary", source: "manual", confidence: 1 };
    const workspace = { name: "Table", draft_id: randomUUID(), assets: [asset] };
    const body = { algorithm_version: "1", workspaces: [workspace] };
    await this.asked("/workspaces/enable-from-proposal/", body);
    const all: Json[] = await this.asked("/platform/workspaces");
    return all.find(({ draft_id }) => draft_id === workspace.draft_id).id;
  }

  /** With a draft that could be published. */
  async automation(): Promise<string> {
    const { id } = await this.asked("/platform/automations", { name: "Table" });
    await this.asked(`/platform/automations/${id}/draft`, { steps: [promptStep] }, "PUT");
    return id;
  }

  /** Of another automation; it has ended. */
  async automationRun(): Promise<string> {
    const automation = `/platform/automations/${await this.automation()}`;
    await this.asked(`${automation}/publish`, undefined, "POST", { "if-match": "*" });
    const { id } = await this.asked(`${automation}/runs`, {});
    const look = () => this.asked(`/platform/automation-runs/${id}`);
    await until("the run to end", 60, look, ({ status }) => status === "succeeded");
    return id;
  }

  /** Its key, in use by the model `table`. */
  async feature(): Promise<string> {
    const key = randomUUID();
    await this.asked(`/platform/features/${key}`, {}, "PUT");
    await this.asked(`/platform/features/${key}/usages/notebook/table`, { asset_name: "Table" }, "PUT");
    return key;
  }

  /** To one member, who is invited only: sending it sends nothing. */
  async emailDraft(memberId: string): Promise<string> {
    const body = { subject: "Table", text: "Table", recipient_member_ids: [memberId] };
    return (await this.asked("/platform/email-drafts", body)).id;
  }

  /** With one version, which is ready. */
  async model(): Promise<{ model: string; model_version: string }> {
    await uploadArtifact({ ...this.#platform.description, bearer: this.#bearer }, modelArtifact);
    const { id: model } = await this.asked("/platform/models", { name: `model ${randomUUID()}` });
    const version = { format: "onnx", artifact_sha256: modelArtifactSha256 };
    return { model, model_version: (await this.asked(`/platform/models/${model}/versions`, version)).id };
  }

  /** With one version, which cannot be served. Resolves when that is known. */
  async deployment(modelId: string): Promise<{ deployment: string; deployment_version: string }> {
    const model_refs = [{ model_id: modelId, alias: "table" }];
    const { id } = await this.asked("/deployments/custom-serving/", { name: "Table", ...deployedBundle, model_refs });
    const path = `/platform/deployments/${id}`;
    await until(
      "the deployment to fail",
      60,
      () => this.asked(path),
      ({ status }) => status === "Failed",
    );
    const [version] = await this.asked(`${path}/versions`);
    return { deployment: id, deployment_version: version.id };
  }

  async oneOfEach(): Promise<Record<Kind, string>> {
    const dataset = await this.dataset();
    const dataset_version = await this.datasetVersion(dataset);
    const training = await this.#trainingThings({ datasetId: dataset, versionId: dataset_version });
    const asset = await this.asset();
    const [role, member] = [await this.role(), await this.member()];
    const [api_key, link] = [await this.apiKey(), await this.link()];
    const delegation = await this.delegation();
    const { id: session } = await this.asked("/platform/sessions", {});
    const models = await this.model();
    const served = await this.deployment(models.model);
    const content = {
      dataset,
      dataset_version,
      dataset_embedding: await this.datasetEmbedding(dataset, dataset_version, served.deployment),
      automation: await this.automation(),
      automation_run: await this.automationRun(),
      feature: await this.feature(),
      email_draft: await this.emailDraft(member),
    };
    return {
      role,
      member,
      api_key,
      session,
      delegation,
      link,
      asset,
      workspace: await this.workspace(asset),
      ...content,
      ...models,
      ...served,
      ...training,
    };
  }

  /** Resolves once the audit log has the last of what so many `oneOfEach` did in each service. */
  async untilAudited(times: number): Promise<void> {
    const last = [
      "training.supervision_lease.changed",
      "identity.workspace_settings.proposal_accepted",
      "content.email_draft.created",
      "deployments.deployment.created",
      "data.dataset_embedding.cancelled",
    ];
    for (const action of last) {
      const before = `/platform/audit?action=${action}`;
      await until(
        `the record of ${action}`,
        60,
        () => this.asked(before),
        (records: Json[]) => records.length >= times,
      );
    }
  }

  /** Resolves once deployments has heard of so many datasets and pipelines. */
  async knownToDeployments(organisationId: string, least: { datasets: number; pipelines: number }): Promise<void> {
    await using client = await MongoClient.connect(this.#platform.mongodbUri);
    for (const [name, wanted] of Object.entries(least)) {
      const known = client.db("deployments").collection(`known_${name}`);
      const count = () => known.countDocuments({ organisation_id: organisationId });
      await until(`deployments to know the ${name}`, 60, count, (found) => found >= wanted);
    }
  }

  async #trainingThings(read: { datasetId: string; versionId: string }) {
    const { pipeline, run } = await this.#newRun(read);
    const [attachment, checkpoint] = [randomUUID(), randomUUID()];
    // Identity hears of it: no event of the organisation is on its way when the tests look at what it has.
    const assets = () => this.asked("/platform/assets?limit=1000");
    await until("the pipeline to be an asset", 60, assets, (all: Json[]) => all.some(({ id }) => id === pipeline));
    await this.#attach(run, attachment);
    const trainer = { run_id: run, job_name: jobName, attachment_id: attachment };
    await this.#rpc("TrainerService/ReportJobState", { ...trainer, state: "JOB_STATE_PREPARING" });
    await this.#rpc("TrainerService/ReportJobState", { ...trainer, state: "JOB_STATE_RUNNING" });
    await this.#rpc("TrainerService/RegisterCheckpoint", { ...trainer, checkpoint: { id: checkpoint, step: 1 } });
    const shown = [{ name: "table", step: 1, kind: "MEDIA_KIND_TEXT", text: "table" }];
    await this.#rpc("TrainerService/SendReport", { ...trainer, pipeline_id: pipeline, counter: 1, media: shown });
    const [{ id: media }] = await this.asked(`/platform/pipelines/${pipeline}/runs/${run}/media`);
    const command = { action: "continue", idempotency_key: randomUUID() };
    const { id } = await this.asked(`/pipelines/${pipeline}/runs/${run}/training/${jobName}/commands`, command);
    const lease = await this.asked(`/platform/pipelines/${pipeline}/runs/${run}/jobs/${jobName}/supervisions`, {});
    const { supervision_lease_token: lease_token } = lease;
    const { supervision_id: supervision } = lease.lease;
    return { pipeline, run, attachment, checkpoint, media, command: id, supervision, lease_token };
  }

  async #newRun(read: { datasetId: string; versionId: string }): Promise<{ pipeline: string; run: string }> {
    const options = { headers: { authorization: `Bearer ${this.#bearer}` } };
    const runs = createClient(RunService, this.#training);
    const { pipeline } = await runs.createPipeline({ name: "Table" }, options);
    const jobs = [{ name: jobName }, { name: otherJobName }, { name: takenJobName }];
    const wanted = { name: "Table", pipelineId: pipeline?.id ?? "", jobs, datasets: [{ name: "table", ...read }] };
    const { run } = await runs.createRun(wanted, options);
    return { pipeline: pipeline?.id ?? "", run: run?.id ?? "" };
  }

  async #rpc(name: string, input: Json): Promise<void> {
    const rpc = rpcs.find((each) => each.name === name);
    if (!rpc) throw new Error(`the contract has no ${name}`);
    const transport = rpc.owner === "identity" ? this.#identity : this.#training;
    const end = await callRpc(transport, rpc, input, this.#bearer);
    if (end.status !== "ok") throw new Error(`${name} ended with ${end.status}: ${end.text}`);
  }

  /** Attaches as the job's trainer for as long as the tests run. */
  async #attach(runId: string, attachmentId: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.#bearer}` };
    const request = { runId, jobName, attachmentId };
    const trainers = createClient(TrainerService, this.#training);
    const stream = trainers.attach(request, { headers, signal: this.#signal })[Symbol.asyncIterator]();
    await stream.next();
    // Read on until the tests are over, so that the stream never backs up.
    const read = async () => {
      while (!(await stream.next()).done);
    };
    read().catch(() => undefined);
  }
}
