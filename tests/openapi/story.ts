import { createHash } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { AuditEnvironment } from "../audit/audit-environment.ts";
import { completedJob } from "../mesh/completed-job.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";
import { Browser } from "../rest-contract/browser.ts";
import { deployHandler } from "../rest-contract/embedding-deployment.ts";
import { operations } from "./description.ts";
import type { Storyteller } from "./storyteller.ts";

/** Every operation, in an order in which one has what the next one needs. */
export const story: readonly string[] = [
  ...[
    "getOrganisation",
    "listQuotas",
    "search",
    "getOwnMember",
    "setOwnEmailPreference",
    "listPermissions",
    "createRole",
    "listRoles",
    "getRole",
  ],
  ...["updateRole", "createMember", "listMembers", "getMember", "setMemberRoles", "deactivateMember"],
  ...["reactivateMember", "deleteRole", "createApiKey", "listApiKeys", "getApiKey", "rotateApiKey", "revokeApiKey"],
  ...["getApiKeyPolicy", "setApiKeyPolicy"],
  ...["createSession", "getSession", "listSessions", "revokeSession", "endSession", "createSignInCode"],
  ...["listSignInProviders", "startSignIn", "completeSignIn"],
  ...["createOrganisation", "suspendOrganisation", "restoreOrganisation", "inspectOrganisation"],
  ...["setOrganisationQuotas", "getOrganisationQuotas"],
  ...["deleteOrganisation"],
  ...["listInstallationAuditRecords", "listAuditRecords", "getNotebookSession"],
  ...["startSocialnetLink", "startExternalLink", "listExternalLinks", "getExternalLink", "reviewExternalLink"],
  ...["continueExternalLink", "completeExternalLink"],
  ...["revokeExternalLink", "createDataset", "listDatasets", "getDataset", "inferDatasetColumns"],
  "setDatasetSensitiveColumns",
  ...["patchDataDictionary", "getDataDictionary", "listDataDictionaryHistory", "deleteDataDictionaryEntry"],
  ...["createDatasetVersion", "listDatasetVersions", "getDatasetVersion"],
  ...["createPipeline", "listPipelines", "getPipeline", "updatePipeline", "archivePipeline", "restorePipeline"],
  ...[
    "createRun",
    "listRuns",
    "listAllRuns",
    "getRun",
    "getLineage",
    "updateRun",
    "archiveRun",
    "restoreRun",
    "getJob",
    "compareRuns",
    "listCheckpoints",
    "pruneCheckpoints",
  ],
  ...[
    "createTrainingControlCommand",
    "listControlCommands",
    "getControlCommand",
    "previewControlCommand",
    "commandJobs",
    "pauseJob",
  ],
  ...["watchControlCommands", "acquireSupervisionLease", "getSupervisionLease", "renewSupervisionLease"],
  ...[
    "releaseSupervisionLease",
    "sendMetrics",
    "takeJob",
    "registerCheckpoint",
    "verifyCheckpoint",
    "acknowledgeCommand",
    "sendReport",
  ],
  "attach",
  ...[
    "readLogLines",
    "watchLogLines",
    "getRunMetrics",
    "watchRunMetrics",
    "followStreams",
    "listMediaNames",
    "listMedia",
    "downloadMedia",
    "downloadRunDataset",
    "reportJobState",
    "deleteRun",
    "deletePipeline",
  ],
  ...["createMlflowExperiment", "searchMlflowExperiments", "getMlflowExperiment", "getMlflowExperimentByName"],
  ...["setMlflowExperimentTag", "updateMlflowExperiment", "createMlflowRun", "logMlflowMetric", "logMlflowParameter"],
  ...["setMlflowTag", "deleteMlflowTag", "logMlflowBatch", "getMlflowRun", "getMlflowMetricHistory"],
  ...["searchMlflowRuns", "searchMlflowLoggedModels", "putMlflowArtifact", "listMlflowArtifacts"],
  ...["downloadMlflowArtifact", "listRunFiles", "downloadRunFile", "updateMlflowRun", "deleteMlflowRun"],
  ...["restoreMlflowRun", "deleteMlflowExperiment", "restoreMlflowExperiment"],
  ...["registerAsset", "listAssets"],
  ...["enableFromProposal", "getWorkspaceSettings", "updateWorkspaceSettings", "listWorkspaces", "getWorkspace"],
  ...["listWorkspaceAssets", "startGrouping", "deleteWorkspace", "deleteAsset", "putFeature", "getFeature"],
  ...["listFeatures", "putFeatureUsage", "listFeatureUsages", "deleteFeature", "restoreFeature", "deleteFeatureUsage"],
  ...["createAutomation", "saveAutomationDraft", "getAutomationDraft", "publishAutomation", "getAutomation"],
  "listAutomations",
  ...["listAutomationVersions", "startAutomationRun", "getAutomationRun", "listAutomationRuns", "cancelAutomationRun"],
  ...["getAutomationSettings", "updateAutomationSettings", "deleteAutomation", "createEmailDraft", "listEmailDrafts"],
  ...["getEmailDraft", "updateEmailDraft", "previewEmailDraft", "sendEmailDraft", "watchEmailSending"],
  ...["listEmailDeliveries", "deleteEmailDraft", "appendToUpload", "getUpload", "putArtifact", "collectArtifacts"],
  ...["listDatasetRows", "getDatasetStatistics", "queryDatasets", "downloadDatasetVersion", "createDatasetSuccessor"],
  ...["createDatasetEmbedding", "listDatasetEmbeddings", "getDatasetEmbedding", "listDatasetVectors"],
  ...["searchDatasetVectors", "cancelDatasetEmbedding", "purgeDatasetVersion"],
  ...["createModel", "listModels", "getModel", "createModelVersion"],
  ...["listModelVersions", "getModelVersion", "retryModelVersion", "downloadArtifact", "downloadModelVersion"],
  ...["downloadJobResult", "getDownloadUrl", "createDeployment"],
  ...["createCustomServingDeployment", "listDeployments"],
  ...["getDeployment", "watchDeployment", "getServingState", "listRollouts", "updateCustomServingDeployment"],
  ...["listDeploymentVersions", "setCanary", "endCanary", "startRollout", "rollBackDeployment", "promoteDeployment"],
  ...["stopDeployment", "startDeployment", "deleteDeployment", "deleteDataset"],
];

/** Operations of the installation's operator. */
export const byOperator: ReadonlySet<string> = new Set([
  "createOrganisation",
  "suspendOrganisation",
  "restoreOrganisation",
  "setOrganisationQuotas",
  "getOrganisationQuotas",
  "inspectOrganisation",
  "deleteOrganisation",
  "listInstallationAuditRecords",
]);
/** Operations whose answer needs what this platform does not have, and the status without it. */
export const unavailableHere: ReadonlyMap<string, number> = new Map([["getDownloadUrl", 409]]);
/** Operations that ask for no credential. */
export const anonymousOperations: ReadonlySet<string> = new Set([
  "reviewExternalLink",
  "continueExternalLink",
  "completeExternalLink",
  "listSignInProviders",
  "startSignIn",
  "completeSignIn",
]);

/** Where the story is told. */
export class Stage {
  readonly platform: LocalPlatform["description"];
  readonly operatorKey: string;
  readonly teller: Storyteller;
  readonly #environment: AuditEnvironment;

  private constructor(environment: AuditEnvironment, teller: Storyteller) {
    this.#environment = environment;
    this.platform = environment.platform.description;
    this.operatorKey = environment.operatorKey;
    this.teller = teller;
  }

  static async of(platform: LocalPlatform, teller: Storyteller): Promise<Stage> {
    return new Stage(await AuditEnvironment.of(platform, platform.directory), teller);
  }

  /** Does what no operation does before this one can be told. */
  async prepare(id: string): Promise<void> {
    await beforehand[id]?.(this);
  }

  /** Calls an RPC, and answers what it answered. */
  made(rpc: string, input: Json): Promise<Json> {
    return this.#environment.made(rpc, input);
  }

  async asked(path: string, body?: Json, method?: string): Promise<Json> {
    const answer = await ask(this.platform, { path, ...(body && { body }), ...(method && { method }) });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  /** Parameters of an operation that have an example. */
  parameters(id: string): { name: string; example: string }[] {
    const { parameters = [] } = operations.get(id)?.operation ?? {};
    return parameters.filter(({ example }: Json) => example !== undefined);
  }

  /** What a request's example says for a parameter. */
  parameter(id: string, wanted: string): string {
    const { example } = this.parameters(id).find(({ name }) => name === wanted) ?? {};
    if (example === undefined) throw new Error(`the example of ${id} has no ${wanted}`);
    return example;
  }

  /** Resolves when the deployment of the story serves what it shall. */
  async served(): Promise<void> {
    const path = `/platform/deployments/${this.teller.real(this.parameter("getDeployment", "deployment_id"))}`;
    const isServed = ({ rollout_status, status }: Json) => rollout_status === "Succeeded" && status === "Running";
    await until("the deployment to serve", this.teller.waitSeconds(60), () => this.asked(path), isServed);
  }

  /** Resolves when the files of the story's version of a dataset are read. */
  async read(): Promise<void> {
    const [dataset, version] = ["dataset_id", "version_id"].map((name) =>
      this.teller.real(this.parameter("getDatasetVersion", name)),
    );
    const path = `/platform/datasets/${dataset}/versions/${version}`;
    const isReady = ({ state }: Json) => state === "ready";
    await until("the version to be ready", this.teller.waitSeconds(60), () => this.asked(path), isReady);
  }

  /** Path of the embeddings of the story's version. */
  #embeddings(): string {
    const [dataset, version] = ["dataset_id", "version_id"].map((name) =>
      this.teller.real(this.parameter("getDatasetEmbedding", name)),
    );
    return `/platform/datasets/${dataset}/versions/${version}/embeddings`;
  }

  /** Resolves when the story's embedding is ready. */
  async embedded(): Promise<void> {
    const id = this.teller.real(this.parameter("getDatasetEmbedding", "embedding_id"));
    const isReady = ({ state }: Json) => state === "ready";
    const path = `${this.#embeddings()}/${id}`;
    await until("the embedding to be ready", this.teller.waitSeconds(60), () => this.asked(path), isReady);
  }

  /** Begins an embedding by a deployment that is stopped. */
  async waits(): Promise<void> {
    const { requestBody } = operations.get("createDatasetEmbedding")?.operation ?? {};
    const { recipe } = requestBody.content["application/json"].example;
    const deployment_id = this.teller.real(recipe.deployment_id);
    await this.asked(`/platform/deployments/${deployment_id}/stop`, {});
    const { id } = await this.asked(this.#embeddings(), {
      recipe: { ...recipe, deployment_id, template: "new {{stops}}" },
    });
    this.teller.knows(this.parameter("cancelDatasetEmbedding", "embedding_id"), id);
  }
}

/** Vectors of two numbers: how long a text is, and one. */
const ordersHandler = `export default ({ inputs: [{ shape: [count], data }] }) => ({
  outputs: [{ name: "vectors", datatype: "FP32", shape: [count, 2], data: data.flatMap((text) => [text.length, 1]) }],
});`;

const beforehand: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  // Other tests make keys without an end.
  createOrganisation: async (stage) => {
    await stage.asked("/platform/api-key-policy", {}, "PUT");
  },
  // The story has restored the organisation.
  deleteOrganisation: async (stage) => {
    const id = stage.teller.real(stage.parameter("deleteOrganisation", "organisation_id"));
    const path = `/platform/organisations/${id}/suspend`;
    await ask(stage.platform, { method: "POST", path, bearer: stage.operatorKey });
  },
  // No member may hold a role that is deleted.
  deleteRole: async (stage) => {
    const member = stage.teller.real(stage.parameter("setMemberRoles", "member_id"));
    await stage.asked(`/platform/members/${member}/roles`, { role_ids: [] }, "PUT");
  },
  // A state is no id that is learned from an answer.
  reviewExternalLink: async (stage) => {
    const started = await stage.asked("/external-oauth/socialnet/start", { secret_name: "a link to review" });
    stage.teller.knows(stage.parameter("reviewExternalLink", "state"), started.state);
  },
  // The page before has set a cookie, and its link carries a confirmation.
  continueExternalLink: async (stage) => {
    const { gateway } = stage.platform;
    const state = stage.teller.real(stage.parameter("continueExternalLink", "state"));
    const browser = new Browser();
    const { text } = await browser.open(`${gateway}/platform/external-oauth/authorize?state=${state}`);
    const [, confirmation = ""] = /confirmation=([\w-]+)/.exec(text) ?? [];
    stage.teller.knows(stage.parameter("continueExternalLink", "confirmation"), confirmation);
    stage.teller.knows(stage.parameter("continueExternalLink", "Cookie"), browser.cookieOf(new URL(gateway).origin));
  },
  // The provider sends the member's browser back.
  completeExternalLink: async (stage) => {
    const { gateway } = stage.platform;
    const started = await stage.asked("/external-oauth/socialnet/start", { secret_name: "a link to complete" });
    const browser = new Browser({ stopBefore: `${gateway}/platform/external-oauth/callback` });
    await browser.open(started.authorization_url);
    await browser.follow("Continue to socialnet");
    await browser.submit("/login", { account: "robin" });
    await browser.submit("/consent");
    const { searchParams } = new URL(browser.visited.at(-1) ?? "");
    for (const { name, example } of stage.parameters("completeExternalLink"))
      stage.teller.knows(example, searchParams.get(name) ?? browser.cookieOf(new URL(gateway).origin));
  },
  // The identity provider sends the person's browser back.
  completeSignIn: async (stage) => {
    const { gateway } = stage.platform;
    const browser = new Browser({ stopBefore: `${gateway}/platform/sign-in/local/callback` });
    await browser.open(`${gateway}/platform/sign-in/local/start`);
    await browser.submit("/login", { account: "demo-administrator" });
    const { searchParams } = new URL(browser.visited.at(-1) ?? "");
    const cookie = browser.cookieOf(new URL(gateway).origin);
    for (const { name, example } of stage.parameters("completeSignIn")) {
      if (name === "Cookie") stage.teller.knows(example, cookie);
      else if (searchParams.has(name)) stage.teller.knows(example, searchParams.get(name) ?? "");
    }
  },
  // A draft that was sent stays.
  deleteEmailDraft: async (stage) => {
    const { id } = await stage.asked("/platform/email-drafts", { subject: "No longer needed" });
    stage.teller.knows(stage.parameter("deleteEmailDraft", "draft_id"), id);
  },
  // A dataset that a bundle names stays.
  deleteDataset: async (stage) => {
    const { id } = await stage.asked("/platform/datasets", { name: "No longer needed" });
    stage.teller.knows(stage.parameter("deleteDataset", "dataset_id"), id);
  },
  // Of the artifact that the next steps complete.
  appendToUpload: async (stage) => {
    const sha256 = createHash("sha256").update("a model too").digest("hex");
    stage.teller.knows(stage.parameter("appendToUpload", "artifact_sha256"), sha256);
    stage.teller.sends("appendToUpload", "a model");
    stage.teller.sends("putArtifact", "a model too");
  },
  createDatasetVersion: async ({ platform, teller }) => {
    const { requestBody } = operations.get("createDatasetVersion")?.operation ?? {};
    const [file] = requestBody.content["application/json"].example.files;
    const rows = "order_id,stops,late\nA-1001,3,false\nA-1002,7,true\nA-1003,2,true\n";
    teller.knows(file.artifact_sha256, await uploadArtifact(platform, Buffer.from(rows)));
  },
  // Rows are there once the files are read.
  listDatasetVersions: (stage) => stage.read(),
  // Vectors are made by a deployment that serves.
  createDatasetEmbedding: async ({ platform, teller }) => {
    const { requestBody } = operations.get("createDatasetEmbedding")?.operation ?? {};
    const { recipe } = requestBody.content["application/json"].example;
    teller.knows(recipe.deployment_id, await deployHandler(platform, "Vectors of orders", ordersHandler));
  },
  listDatasetEmbeddings: (stage) => stage.embedded(),
  // One that waits for a deployment that is stopped.
  cancelDatasetEmbedding: (stage) => stage.waits(),
  createModelVersion: async ({ platform, teller }) => {
    const { requestBody } = operations.get("createModelVersion")?.operation ?? {};
    const { artifact_sha256 } = requestBody.content["application/json"].example;
    teller.knows(artifact_sha256, await uploadArtifact(platform, Buffer.from("a model")));
  },
  // A job leaves a result when it completes.
  downloadJobResult: async (stage) => {
    const job: Json = await completedJob(stage.platform, Buffer.from("a result"));
    for (const { name, example } of stage.parameters("downloadJobResult"))
      if (name in job) stage.teller.knows(example, job[name]);
  },
  putMlflowArtifact: async ({ teller }) => teller.sends("putMlflowArtifact", "weights"),
  // The ids of an experiment and a run in one text.
  listMlflowArtifacts: async (stage) => {
    const path = stage.parameter("listMlflowArtifacts", "path");
    stage.teller.knows(
      path,
      path
        .split("/")
        .map((id) => stage.teller.real(id))
        .join("/"),
    );
  },
  // The ids of a run in the paths of its streams.
  followStreams: async ({ teller }) => {
    const { requestBody } = operations.get("followStreams")?.operation ?? {};
    const { streams }: { streams: { path: string }[] } = requestBody.content["application/json"].example;
    for (const { path } of streams) {
      const ids = path.split("/").map((part) => teller.real(part));
      teller.knows(path, ids.join("/"));
    }
  },
  getDeployment: (stage) => stage.served(),
  setCanary: (stage) => stage.served(),
  startRollout: (stage) => stage.served(),
  rollBackDeployment: (stage) => stage.served(),
  promoteDeployment: (stage) => stage.served(),
  stopDeployment: (stage) => stage.served(),
};
