import { randomUUID } from "node:crypto";
import { type Json, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";
import type { AuditEnvironment } from "./audit-environment.ts";

/** Makes what the request needs, and answers the request. */
export type GoodRequest = (world: AuditEnvironment) => Promise<Json> | Json;

const memberInput = () => ({ displayName: "Audited", email: `${randomUUID()}@example.com` });
const organisationInput = () => {
  const administrator = { ...memberInput(), issuer: "https://issuer.example", subject: randomUUID() };
  return { slug: `o${randomUUID()}`, name: "Audited", administrator };
};
const roleInput = () => ({ name: "Audited", slug: `r${randomUUID()}`, permissionIds: ["metrics:read"] });
const keyInput = () => ({ name: "audited", permissionIds: ["metrics:read"] });

async function newOrganisation(world: AuditEnvironment): Promise<{ id: string; slug: string }> {
  const create = "OrganisationService/CreateOrganisation";
  const { body } = await world.call(create, organisationInput(), { bearer: world.operatorKey });
  return body.organisation;
}
async function suspendedOrganisation(world: AuditEnvironment): Promise<{ id: string; slug: string }> {
  const made = await newOrganisation(world);
  const suspend = "OrganisationService/SuspendOrganisation";
  await world.call(suspend, { organisationId: made.id }, { bearer: world.operatorKey });
  return made;
}
const role = async (world: AuditEnvironment) => (await world.made("RoleService/CreateRole", roleInput())).role.id;
const member = async (world: AuditEnvironment) =>
  (await world.made("MemberService/CreateMember", { member: memberInput(), roleIds: [] })).member.id;
const apiKey = async (world: AuditEnvironment) =>
  (await world.made("ApiKeyService/CreateApiKey", keyInput())).apiKey.id;
const asset = async (world: AuditEnvironment) =>
  (await world.made("AssetService/RegisterAsset", { name: randomUUID(), kind: "report" })).asset.id;
const link = async (world: AuditEnvironment) =>
  (await world.made("ExternalOauthService/StartSocialnetLink", { secretName: randomUUID() })).start;

/** The way of a browser up to the provider: the state of its attempt, and the cookie that proves the way. */
async function walkedLink(world: AuditEnvironment) {
  const { state } = await link(world);
  const cookieOf = ({ setCookie }: { setCookie: string }) => setCookie.split(";")[0] ?? "";
  const { page: shown } = await world.made("ExternalOauthService/ReviewExternalLink", { state });
  const [, confirmation] = /confirmation=([\w-]+)/.exec(Buffer.from(shown.data, "base64").toString()) ?? [];
  const input = { state, confirmation, cookie: cookieOf(shown) };
  const { page: sent } = await world.made("ExternalOauthService/ContinueExternalLink", input);
  return { state, cookie: cookieOf(sent) };
}

async function proposal(world: AuditEnvironment) {
  const proposed = { assetId: await asset(world), role: "primary", source: "manual", confidence: 1 };
  return { algorithmVersion: "1", workspaces: [{ name: "Audited", draftId: randomUUID(), assets: [proposed] }] };
}

async function workspace(world: AuditEnvironment): Promise<string> {
  const input = await proposal(world);
  await world.made("WorkspaceService/EnableFromProposal", input);
  const { workspaces } = await world.made("WorkspaceService/ListWorkspaces", {});
  return workspaces.find(({ draftId }: Json) => draftId === input.workspaces[0]?.draftId).id;
}

/** What is queued or under way already is not asked for again, and leaves no record: grouping by itself has to rest. */
async function groupingAtRest(world: AuditEnvironment) {
  await world.made("WorkspaceService/UpdateWorkspaceSettings", { autoGroupingEnabled: false });
  await until(
    "grouping to rest",
    60,
    () => world.made("WorkspaceService/GetWorkspaceSettings", {}),
    ({ settings }) => !/QUEUED|RUNNING/.test(settings.groupingStatus),
  );
  return {};
}

async function pipeline(world: AuditEnvironment) {
  const created = await world.made("RunService/CreatePipeline", { name: "audited" });
  return { pipelineId: created.pipeline.id };
}

async function job(world: AuditEnvironment) {
  const { pipeline } = await world.made("RunService/CreatePipeline", { name: "audited" });
  const jobs = [{ name: "train" }];
  const { run } = await world.made("RunService/CreateRun", { pipelineId: pipeline.id, name: "audited", jobs });
  return { pipelineId: pipeline.id, runId: run.id, jobName: "train" };
}

async function run(world: AuditEnvironment) {
  const { pipelineId, runId } = await job(world);
  return { pipelineId, runId };
}

async function lease(world: AuditEnvironment) {
  const address = await job(world);
  const acquired = await world.made("SupervisionLeaseService/AcquireSupervisionLease", address);
  const { supervisionLeaseToken } = acquired;
  return { ...address, supervisionId: acquired.lease.supervisionId, supervisionLeaseToken };
}

const dataset = async (world: AuditEnvironment) =>
  (await world.made("DatasetService/CreateDataset", { name: "audited", columns: [{ name: "a" }] })).dataset.id;
const automation = async (world: AuditEnvironment) =>
  (await world.made("AutomationService/CreateAutomation", { name: "audited" })).automation.id;
const feature = async (world: AuditEnvironment) =>
  (await world.made("FeatureMemoryService/PutFeature", { featureKey: randomUUID() })).feature.key;
const usage = async (world: AuditEnvironment) => ({
  featureKey: await feature(world),
  assetType: "notebook",
  assetId: "audited",
  assetName: "audited",
});
const emailDraft = async (world: AuditEnvironment) => {
  const wanted = { subject: "audited", text: "audited", recipientMemberIds: [await member(world)] };
  return (await world.made("EmailDraftService/CreateEmailDraft", wanted)).draft.id;
};

async function automationDraft(world: AuditEnvironment) {
  const promptTemplate = { text: JSON.stringify({ type: "prompt", text: "audited" }) };
  return { automationId: await automation(world), steps: [{ key: "a", name: "A", promptTemplate }] };
}

const delegationInput = () => ({
  delegationId: randomUUID(),
  purpose: "audited",
  permissionIds: ["metrics:read"],
});

const model = async (world: AuditEnvironment) =>
  (await world.made("ModelService/CreateModel", { name: randomUUID() })).model.id;

async function modelVersion(world: AuditEnvironment) {
  const artifactSha256 = await uploadArtifact(world.platform.description, Buffer.from("audited"));
  return { modelId: await model(world), format: "onnx", artifactSha256 };
}

/** An automation that waits for a training run which no trainer trains. */
async function waitingAutomation(world: AuditEnvironment): Promise<string> {
  const { pipeline } = await world.made("RunService/CreatePipeline", { name: "audited" });
  const training = { type: "train", action: "start_run", pipeline_id: pipeline.id, jobs: [{ name: "train" }] };
  const automationId = await automation(world);
  const steps = [{ key: "a", name: "A", promptTemplate: { text: JSON.stringify(training) } }];
  await world.made("AutomationService/SaveAutomationDraft", { automationId, steps });
  await world.made("AutomationService/PublishAutomation", { automationId, ifMatch: "*" });
  return automationId;
}

const servingBundle = {
  schemaVersion: "serving.v1",
  runtime: { type: "prebuilt", value: "node" },
  interface: { input: {}, output: {} },
  name: "audited",
  artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
};
const bundle = () => {
  const code = JSON.stringify(`export default () => "${randomUUID()}";`);
  return { servingBundle, artifacts: [{ name: "handler", content: { text: code }, contentType: "text/javascript" }] };
};
const newDeployment = async (world: AuditEnvironment) => {
  const wanted = { name: "audited", ...bundle() };
  return (await world.made("DeploymentService/CreateCustomServingDeployment", wanted)).deployment.id;
};

/** One deployment for all that need any: each of them runs. */
const deployment = onceFor(newDeployment);

/** A deployment of which two versions, one after the other, have served. */
async function newServed(world: AuditEnvironment): Promise<string> {
  const deploymentId = await newDeployment(world);
  for (const isFirst of [true, false]) {
    if (!isFirst) {
      await world.made("DeploymentService/UpdateCustomServingDeployment", { deploymentId, ...bundle() });
    }
    await until(
      "the deployment to serve",
      60,
      () => world.made("DeploymentService/GetDeployment", { deploymentId }),
      ({ deployment: now }) => now.rolloutStatus === "ROLLOUT_STATUS_SUCCEEDED",
    );
  }
  return deploymentId;
}

const served = onceFor(newServed);

/** What tries the first of two versions that have served. */
async function canary(world: AuditEnvironment) {
  const deploymentId = await served(world);
  const { versions } = await world.made("DeploymentService/ListDeploymentVersions", { deploymentId });
  await world.made("DeploymentService/EndCanary", { deploymentId });
  return { deploymentId, deploymentVersionId: versions.at(-1).id, percent: 10 };
}

function onceFor<T>(make: (world: AuditEnvironment) => Promise<T>): (world: AuditEnvironment) => Promise<T> {
  const made = new WeakMap<AuditEnvironment, Promise<T>>();
  return (world) => {
    const known = made.get(world) ?? make(world);
    made.set(world, known);
    return known;
  };
}

/** RPCs that no request through the gateway reaches, and the test that shows their record instead. */
export const shownElsewhere: Readonly<Record<string, string>> = {
  "CredentialService/ExchangeCredential": "services/identity/tests/audit-log.test.ts",
};

/** A request that has its effect, for each RPC of the contract that leaves a record. */
export const validRequests: Readonly<Record<string, GoodRequest>> = {
  "ApiKeyService/CreateApiKey": keyInput,
  "ApiKeyService/RotateApiKey": async (world) => ({ apiKeyId: await apiKey(world) }),
  "ApiKeyService/RevokeApiKey": async (world) => ({ apiKeyId: await apiKey(world) }),
  "DelegationService/CreateDelegation": delegationInput,
  "DelegationService/RevokeDelegation": async (world) => {
    const input = delegationInput();
    await world.made("DelegationService/CreateDelegation", input);
    return { delegationId: input.delegationId };
  },
  "ExternalOauthService/StartSocialnetLink": () => ({ secretName: randomUUID() }),
  "ExternalOauthService/StartExternalLink": () => ({ provider: "socialnet", secretName: randomUUID() }),
  "ExternalOauthService/CompleteExternalLink": async (world) => ({
    ...(await walkedLink(world)),
    error: "access_denied",
  }),
  "ExternalOauthService/RevokeExternalLink": async (world) => ({ linkId: (await link(world)).linkId }),
  // Ten years: nothing else here makes keys that live longer.
  "ApiKeyService/SetApiKeyPolicy": () => ({ maxLifetimeSeconds: 315_360_000 }),
  "MemberService/CreateMember": () => ({ member: memberInput(), roleIds: [] }),
  "MemberService/SetMemberRoles": async (world) => ({ memberId: await member(world), roleIds: [await role(world)] }),
  "MemberService/DeactivateMember": async (world) => ({ memberId: await member(world) }),
  "MemberService/ReactivateMember": async (world) => {
    const memberId = await member(world);
    await world.made("MemberService/DeactivateMember", { memberId });
    return { memberId };
  },
  "MemberService/SetOwnEmailPreference": async (world) => {
    const { member } = await world.made("MemberService/GetOwnMember", {});
    return { emailOptedOut: member.emailOptedOut !== true };
  },
  "DeploymentService/CreateDeployment": async (world) => {
    const version = await modelVersion(world);
    await world.made("ModelService/CreateModelVersion", version);
    return { modelId: version.modelId };
  },
  "DeploymentService/CreateCustomServingDeployment": () => ({ name: "audited", ...bundle() }),
  "DeploymentService/StartRollout": async (world) => ({ deploymentId: await deployment(world) }),
  "DeploymentService/UpdateCustomServingDeployment": async (world) => {
    return { deploymentId: await deployment(world), ...bundle() };
  },
  "DeploymentService/RollBackDeployment": async (world) => ({ deploymentId: await newServed(world) }),
  "DeploymentService/SetCanary": canary,
  "DeploymentService/EndCanary": async (world) => {
    const wanted = await canary(world);
    await world.made("DeploymentService/SetCanary", wanted);
    return { deploymentId: wanted.deploymentId };
  },
  "DeploymentService/PromoteDeployment": async (world) => ({ deploymentId: await served(world) }),
  "DeploymentService/StopDeployment": async (world) => {
    const deploymentId = await deployment(world);
    await world.made("DeploymentService/StartDeployment", { deploymentId });
    return { deploymentId };
  },
  "DeploymentService/StartDeployment": async (world) => {
    const deploymentId = await deployment(world);
    await world.made("DeploymentService/StopDeployment", { deploymentId });
    return { deploymentId };
  },
  "DeploymentService/DeleteDeployment": async (world) => ({ deploymentId: await newDeployment(world) }),
  "ModelService/CreateModel": () => ({ name: randomUUID() }),
  "ModelService/CreateModelVersion": modelVersion,
  "OrganisationService/CreateOrganisation": organisationInput,
  "OrganisationService/SuspendOrganisation": async (world) => ({
    organisationId: (await newOrganisation(world)).id,
  }),
  "OrganisationService/RestoreOrganisation": async (world) => ({
    organisationId: (await suspendedOrganisation(world)).id,
  }),
  "OrganisationService/DeleteOrganisation": async (world) => {
    const { id: organisationId, slug: confirmSlug } = await suspendedOrganisation(world);
    return { organisationId, confirmSlug };
  },
  "OrganisationService/SetOrganisationQuotas": async (world) => ({
    organisationId: (await newOrganisation(world)).id,
    limits: { deployments: "800" },
  }),
  "RoleService/CreateRole": roleInput,
  "RoleService/UpdateRole": async (world) => ({ roleId: await role(world), name: "Renamed", permissionIds: [] }),
  "RoleService/DeleteRole": async (world) => ({ roleId: await role(world) }),
  "WorkspaceService/EnableFromProposal": proposal,
  "WorkspaceService/UpdateWorkspaceSettings": async (world) => {
    const { settings } = await world.made("WorkspaceService/GetWorkspaceSettings", {});
    return { autoGroupingEnabled: !settings.autoGroupingEnabled };
  },
  "WorkspaceService/StartGrouping": groupingAtRest,
  "WorkspaceService/DeleteWorkspace": async (world) => ({ workspaceId: await workspace(world) }),
  "AssetService/RegisterAsset": () => ({ name: randomUUID(), kind: "report" }),
  "AssetService/DeleteAsset": async (world) => ({ assetId: await asset(world) }),
  "ControlCommandService/CreateTrainingControlCommand": async (world) => ({
    ...(await job(world)),
    action: "TRAINING_CONTROL_ACTION_PAUSE",
    idempotencyKey: randomUUID(),
  }),
  "ControlCommandService/PauseJob": async (world) => ({ ...(await job(world)), idempotencyKey: randomUUID() }),
  "ControlCommandService/CommandJobs": async (world) => {
    const { runId } = await job(world);
    return { jobs: [{ runId }], action: "TRAINING_CONTROL_ACTION_PAUSE", idempotencyKey: randomUUID() };
  },
  "RunService/CreatePipeline": () => ({ name: "audited" }),
  "RunService/UpdatePipeline": async (world) => ({ ...(await pipeline(world)), name: "renamed" }),
  "RunService/ArchivePipeline": pipeline,
  "RunService/RestorePipeline": async (world) => {
    const archived = await pipeline(world);
    await world.made("RunService/ArchivePipeline", archived);
    return archived;
  },
  "RunService/DeletePipeline": pipeline,
  "RunService/CreateRun": async (world) => {
    const { pipeline } = await world.made("RunService/CreatePipeline", { name: "audited" });
    return { pipelineId: pipeline.id, name: "audited", jobs: [{ name: "train" }] };
  },
  "RunService/UpdateRun": async (world) => ({ ...(await run(world)), notes: "audited" }),
  "RunService/ArchiveRun": run,
  "RunService/RestoreRun": async (world) => {
    const archived = await run(world);
    await world.made("RunService/ArchiveRun", archived);
    return archived;
  },
  "RunService/DeleteRun": run,
  "SupervisionLeaseService/AcquireSupervisionLease": job,
  "SupervisionLeaseService/RenewSupervisionLease": lease,
  "SupervisionLeaseService/ReleaseSupervisionLease": lease,
  "DatasetService/CreateDataset": () => ({ name: "audited" }),
  "DatasetService/InferDatasetColumns": async (world) => {
    const sample = Buffer.from("b\n1\n").toString("base64");
    return { datasetId: await dataset(world), format: "SAMPLE_FORMAT_CSV", sample };
  },
  "DatasetService/DeleteDataset": async (world) => ({ datasetId: await dataset(world) }),
  "DataDictionaryService/PatchDataDictionary": async (world) => ({
    datasetId: await dataset(world),
    entries: [{ name: "a", description: "audited" }],
  }),
  "DataDictionaryService/DeleteDataDictionaryEntry": async (world) => ({ datasetId: await dataset(world), name: "a" }),
  "AutomationService/CreateAutomation": () => ({ name: "audited" }),
  "AutomationService/SaveAutomationDraft": automationDraft,
  "AutomationService/PublishAutomation": async (world) => {
    const wanted = await automationDraft(world);
    await world.made("AutomationService/SaveAutomationDraft", wanted);
    return { automationId: wanted.automationId, ifMatch: "*" };
  },
  "AutomationService/DeleteAutomation": async (world) => ({ automationId: await automation(world) }),
  "AutomationService/StartAutomationRun": async (world) => ({ automationId: await waitingAutomation(world) }),
  "AutomationService/CancelAutomationRun": async (world) => {
    const automationId = await waitingAutomation(world);
    return { runId: (await world.made("AutomationService/StartAutomationRun", { automationId })).run.id };
  },
  "AutomationService/UpdateAutomationSettings": async (world) => ({
    automationId: await automation(world),
    enabled: false,
  }),
  "FeatureMemoryService/PutFeature": () => ({ featureKey: randomUUID() }),
  "FeatureMemoryService/DeleteFeature": async (world) => ({ featureKey: await feature(world) }),
  "FeatureMemoryService/RestoreFeature": async (world) => {
    const featureKey = await feature(world);
    await world.made("FeatureMemoryService/DeleteFeature", { featureKey, keep: true });
    return { featureKey };
  },
  "FeatureMemoryService/PutFeatureUsage": usage,
  "FeatureMemoryService/DeleteFeatureUsage": async (world) => {
    const { assetName, ...wanted } = await usage(world);
    await world.made("FeatureMemoryService/PutFeatureUsage", { ...wanted, assetName });
    return wanted;
  },
  "EmailDraftService/CreateEmailDraft": () => ({ subject: "audited", text: "audited" }),
  "EmailDraftService/UpdateEmailDraft": async (world) => ({
    draftId: await emailDraft(world),
    subject: "another",
    text: "audited",
  }),
  "EmailDraftService/DeleteEmailDraft": async (world) => ({ draftId: await emailDraft(world) }),
  "EmailDraftService/SendEmailDraft": async (world) => ({ draftId: await emailDraft(world) }),
};
