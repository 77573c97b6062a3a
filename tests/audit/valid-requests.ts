import { randomUUID } from "node:crypto";
import { type Json, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";
import { Browser } from "../rest-contract/browser.ts";
import type { AuditEnvironment } from "./audit-environment.ts";
import { dataset, datasetRequests } from "./dataset-requests.ts";
import { mlflowRequests } from "./mlflow-requests.ts";
import { bundle, canary, deployment, newDeployment, newServed, served } from "./served-deployments.ts";

/** Makes what the request needs, and answers the request. */
export type GoodRequest = (environment: AuditEnvironment) => Promise<Json> | Json;

const memberInput = () => ({ displayName: "Audited", email: `${randomUUID()}@example.com` });
const organisationInput = () => {
  const administrator = { ...memberInput(), issuer: "https://issuer.example", subject: randomUUID() };
  return { slug: `o${randomUUID()}`, name: "Audited", administrator };
};
const roleInput = () => ({ name: "Audited", slug: `r${randomUUID()}`, permissionIds: ["metrics:read"] });
const keyInput = () => ({ name: "audited", permissionIds: ["metrics:read"] });

async function newOrganisation(environment: AuditEnvironment): Promise<{ id: string; slug: string }> {
  const create = "OrganisationService/CreateOrganisation";
  const { body } = await environment.call(create, organisationInput(), { bearer: environment.operatorKey });
  return body.organisation;
}
async function suspendedOrganisation(environment: AuditEnvironment): Promise<{ id: string; slug: string }> {
  const made = await newOrganisation(environment);
  const suspend = "OrganisationService/SuspendOrganisation";
  await environment.call(suspend, { organisationId: made.id }, { bearer: environment.operatorKey });
  return made;
}
const role = async (environment: AuditEnvironment) =>
  (await environment.made("RoleService/CreateRole", roleInput())).role.id;
const member = async (environment: AuditEnvironment) =>
  (await environment.made("MemberService/CreateMember", { member: memberInput(), roleIds: [] })).member.id;
const apiKey = async (environment: AuditEnvironment) =>
  (await environment.made("ApiKeyService/CreateApiKey", keyInput())).apiKey.id;
const asset = async (environment: AuditEnvironment) =>
  (await environment.made("AssetService/RegisterAsset", { name: randomUUID(), kind: "report" })).asset.id;
const link = async (environment: AuditEnvironment) =>
  (await environment.made("ExternalOauthService/StartSocialnetLink", { secretName: randomUUID() })).start;

/** The way of a browser up to the provider: the state of its attempt, and the cookie that proves the way. */
async function walkedLink(environment: AuditEnvironment) {
  const { state } = await link(environment);
  const cookieOf = ({ setCookie }: { setCookie: string }) => setCookie.split(";")[0] ?? "";
  const { page: shown } = await environment.made("ExternalOauthService/ReviewExternalLink", { state });
  const [, confirmation] = /confirmation=([\w-]+)/.exec(Buffer.from(shown.data, "base64").toString()) ?? [];
  const input = { state, confirmation, cookie: cookieOf(shown) };
  const { page: sent } = await environment.made("ExternalOauthService/ContinueExternalLink", input);
  return { state, cookie: cookieOf(sent) };
}

/** The way of a browser to the identity provider and back. */
async function walkedSignIn(environment: AuditEnvironment) {
  const { gateway } = environment.platform.description;
  const browser = new Browser({ stopBefore: `${gateway}/platform/sign-in/local/callback` });
  await browser.open(`${gateway}/platform/sign-in/local/start`);
  await browser.submit("/login", { account: "demo-administrator" });
  const { searchParams } = new URL(browser.visited.at(-1) ?? "");
  const cookie = browser.cookieOf(new URL(gateway).origin);
  return { provider: "local", cookie, ...Object.fromEntries(searchParams) };
}

async function proposal(environment: AuditEnvironment) {
  const proposed = { assetId: await asset(environment), role: "primary", source: "manual", confidence: 1 };
  return { algorithmVersion: "1", workspaces: [{ name: "Audited", draftId: randomUUID(), assets: [proposed] }] };
}

async function workspace(environment: AuditEnvironment): Promise<string> {
  const input = await proposal(environment);
  await environment.made("WorkspaceService/EnableFromProposal", input);
  const { workspaces } = await environment.made("WorkspaceService/ListWorkspaces", {});
  return workspaces.find(({ draftId }: Json) => draftId === input.workspaces[0]?.draftId).id;
}

/** What is queued or under way already is not asked for again, and leaves no record: grouping by itself has to rest. */
async function groupingAtRest(environment: AuditEnvironment) {
  await environment.made("WorkspaceService/UpdateWorkspaceSettings", { autoGroupingEnabled: false });
  await until(
    "grouping to rest",
    60,
    () => environment.made("WorkspaceService/GetWorkspaceSettings", {}),
    ({ settings }) => !/QUEUED|RUNNING/.test(settings.groupingStatus),
  );
  return {};
}

async function pipeline(environment: AuditEnvironment) {
  const created = await environment.made("RunService/CreatePipeline", { name: "audited" });
  return { pipelineId: created.pipeline.id };
}

async function job(environment: AuditEnvironment) {
  const { pipeline } = await environment.made("RunService/CreatePipeline", { name: "audited" });
  const jobs = [{ name: "train" }];
  const { run } = await environment.made("RunService/CreateRun", { pipelineId: pipeline.id, name: "audited", jobs });
  return { pipelineId: pipeline.id, runId: run.id, jobName: "train" };
}

/** A job with two checkpoints: it needs the newer one. */
async function jobWithCheckpoints(environment: AuditEnvironment) {
  const address = await job(environment);
  const trainer = { ...address, attachmentId: randomUUID() };
  await environment.made("TrainerService/TakeJob", trainer);
  for (const step of [1, 2]) {
    await environment.made("TrainerService/RegisterCheckpoint", { ...trainer, checkpoint: { id: randomUUID(), step } });
  }
  return address;
}

/** An artifact that nothing has referred to for a year; the pass that an upload brings about is over. */
async function unusedArtifact(environment: AuditEnvironment) {
  await modelVersion(environment);
  const free = ({ code, body }: Json) => code === "ok" && !body.hasMore;
  const collect = () => environment.call("ArtifactService/CollectArtifacts", {});
  await until("artifacts to have been looked at", 60, collect, free);
  const sha256 = await uploadArtifact(environment.platform.description, Buffer.from(randomUUID()));
  await environment.letArtifactAge(sha256);
  return {};
}

async function run(environment: AuditEnvironment) {
  const { pipelineId, runId } = await job(environment);
  return { pipelineId, runId };
}

async function lease(environment: AuditEnvironment) {
  const address = await job(environment);
  const acquired = await environment.made("SupervisionLeaseService/AcquireSupervisionLease", address);
  const { supervisionLeaseToken } = acquired;
  return { ...address, supervisionId: acquired.lease.supervisionId, supervisionLeaseToken };
}

const automation = async (environment: AuditEnvironment) =>
  (await environment.made("AutomationService/CreateAutomation", { name: "audited" })).automation.id;
const feature = async (environment: AuditEnvironment) =>
  (await environment.made("FeatureMemoryService/PutFeature", { featureKey: randomUUID() })).feature.key;
const usage = async (environment: AuditEnvironment) => ({
  featureKey: await feature(environment),
  assetType: "notebook",
  assetId: "audited",
  assetName: "audited",
});
const emailDraft = async (environment: AuditEnvironment) => {
  const wanted = { subject: "audited", text: "audited", recipientMemberIds: [await member(environment)] };
  return (await environment.made("EmailDraftService/CreateEmailDraft", wanted)).draft.id;
};

async function automationDraft(environment: AuditEnvironment) {
  const promptTemplate = { text: JSON.stringify({ type: "prompt", text: "audited" }) };
  return { automationId: await automation(environment), steps: [{ key: "a", name: "A", promptTemplate }] };
}

const delegationInput = () => ({
  delegationId: randomUUID(),
  purpose: "audited",
  permissionIds: ["metrics:read"],
});

const model = async (environment: AuditEnvironment) =>
  (await environment.made("ModelService/CreateModel", { name: randomUUID() })).model.id;

async function modelVersion(environment: AuditEnvironment) {
  const artifactSha256 = await uploadArtifact(environment.platform.description, Buffer.from("audited"));
  return { modelId: await model(environment), format: "onnx", artifactSha256 };
}

/** An automation that waits for a training run which no trainer trains. */
async function waitingAutomation(environment: AuditEnvironment): Promise<string> {
  const { pipeline } = await environment.made("RunService/CreatePipeline", { name: "audited" });
  const training = { type: "train", action: "start_run", pipeline_id: pipeline.id, jobs: [{ name: "train" }] };
  const automationId = await automation(environment);
  const steps = [{ key: "a", name: "A", promptTemplate: { text: JSON.stringify(training) } }];
  await environment.made("AutomationService/SaveAutomationDraft", { automationId, steps });
  await environment.made("AutomationService/PublishAutomation", { automationId, ifMatch: "*" });
  return automationId;
}

/** RPCs that these requests do not reach, and the test that shows their record instead. */
export const shownElsewhere: Readonly<Record<string, string>> = {
  "CredentialService/ExchangeCredential": "services/identity/tests/audit-log.test.ts",
  // It ends the session that the request itself is made in.
  "SessionService/EndSession": "services/identity/tests/sessions.test.ts",
};

/** A request that has its effect, for each RPC of the contract that leaves a record. */
export const validRequests: Readonly<Record<string, GoodRequest>> = {
  ...mlflowRequests,
  ...datasetRequests,
  "ApiKeyService/CreateApiKey": keyInput,
  "ApiKeyService/RotateApiKey": async (environment) => ({ apiKeyId: await apiKey(environment) }),
  "ApiKeyService/RevokeApiKey": async (environment) => ({ apiKeyId: await apiKey(environment) }),
  "SessionService/CreateSession": () => ({}),
  "SessionService/RevokeSession": async (environment) => ({
    sessionId: (await environment.made("SessionService/CreateSession", {})).session.id,
  }),
  "SessionService/CreateSignInCode": () => ({}),
  "SignInService/CompleteSignIn": walkedSignIn,
  "DelegationService/CreateDelegation": delegationInput,
  "DelegationService/RevokeDelegation": async (environment) => {
    const input = delegationInput();
    await environment.made("DelegationService/CreateDelegation", input);
    return { delegationId: input.delegationId };
  },
  "ExternalOauthService/StartSocialnetLink": () => ({ secretName: randomUUID() }),
  "ExternalOauthService/StartExternalLink": () => ({ provider: "socialnet", secretName: randomUUID() }),
  "ExternalOauthService/CompleteExternalLink": async (environment) => ({
    ...(await walkedLink(environment)),
    error: "access_denied",
  }),
  "ExternalOauthService/RevokeExternalLink": async (environment) => ({ linkId: (await link(environment)).linkId }),
  // Ten years: nothing else here makes keys that live longer.
  "ApiKeyService/SetApiKeyPolicy": () => ({ maxLifetimeSeconds: 315_360_000 }),
  "MemberService/CreateMember": () => ({ member: memberInput(), roleIds: [] }),
  "MemberService/SetMemberRoles": async (environment) => ({
    memberId: await member(environment),
    roleIds: [await role(environment)],
  }),
  "MemberService/DeactivateMember": async (environment) => ({ memberId: await member(environment) }),
  "MemberService/ReactivateMember": async (environment) => {
    const memberId = await member(environment);
    await environment.made("MemberService/DeactivateMember", { memberId });
    return { memberId };
  },
  "MemberService/SetOwnEmailPreference": async (environment) => {
    const { member } = await environment.made("MemberService/GetOwnMember", {});
    return { emailOptedOut: member.emailOptedOut !== true };
  },
  "DeploymentService/CreateDeployment": async (environment) => {
    const version = await modelVersion(environment);
    await environment.made("ModelService/CreateModelVersion", version);
    return { modelId: version.modelId };
  },
  "DeploymentService/CreateCustomServingDeployment": () => ({ name: "audited", ...bundle() }),
  "DeploymentService/StartRollout": async (environment) => ({ deploymentId: await deployment(environment) }),
  "DeploymentService/UpdateCustomServingDeployment": async (environment) => {
    return { deploymentId: await deployment(environment), ...bundle() };
  },
  "DeploymentService/RollBackDeployment": async (environment) => ({ deploymentId: await newServed(environment) }),
  "DeploymentService/SetCanary": canary,
  "DeploymentService/EndCanary": async (environment) => {
    const wanted = await canary(environment);
    await environment.made("DeploymentService/SetCanary", wanted);
    return { deploymentId: wanted.deploymentId };
  },
  "DeploymentService/PromoteDeployment": async (environment) => ({ deploymentId: await served(environment) }),
  "DeploymentService/StopDeployment": async (environment) => {
    const deploymentId = await deployment(environment);
    await environment.made("DeploymentService/StartDeployment", { deploymentId });
    return { deploymentId };
  },
  "DeploymentService/StartDeployment": async (environment) => {
    const deploymentId = await deployment(environment);
    await environment.made("DeploymentService/StopDeployment", { deploymentId });
    return { deploymentId };
  },
  "DeploymentService/DeleteDeployment": async (environment) => ({ deploymentId: await newDeployment(environment) }),
  "ModelService/CreateModel": () => ({ name: randomUUID() }),
  "ModelService/CreateModelVersion": modelVersion,
  "OrganisationService/CreateOrganisation": organisationInput,
  "OrganisationService/SuspendOrganisation": async (environment) => ({
    organisationId: (await newOrganisation(environment)).id,
  }),
  "OrganisationService/RestoreOrganisation": async (environment) => ({
    organisationId: (await suspendedOrganisation(environment)).id,
  }),
  "OrganisationService/DeleteOrganisation": async (environment) => {
    const { id: organisationId, slug: confirmSlug } = await suspendedOrganisation(environment);
    return { organisationId, confirmSlug };
  },
  "OrganisationService/SetOrganisationQuotas": async (environment) => ({
    organisationId: (await newOrganisation(environment)).id,
    limits: { deployments: "800" },
  }),
  "RoleService/CreateRole": roleInput,
  "RoleService/UpdateRole": async (environment) => ({
    roleId: await role(environment),
    name: "Renamed",
    permissionIds: [],
  }),
  "RoleService/DeleteRole": async (environment) => ({ roleId: await role(environment) }),
  "WorkspaceService/EnableFromProposal": proposal,
  "WorkspaceService/UpdateWorkspaceSettings": async (environment) => {
    const { settings } = await environment.made("WorkspaceService/GetWorkspaceSettings", {});
    return { autoGroupingEnabled: !settings.autoGroupingEnabled };
  },
  "WorkspaceService/StartGrouping": groupingAtRest,
  "WorkspaceService/DeleteWorkspace": async (environment) => ({ workspaceId: await workspace(environment) }),
  "AssetService/RegisterAsset": () => ({ name: randomUUID(), kind: "report" }),
  "AssetService/DeleteAsset": async (environment) => ({ assetId: await asset(environment) }),
  "ControlCommandService/CreateTrainingControlCommand": async (environment) => ({
    ...(await job(environment)),
    action: "TRAINING_CONTROL_ACTION_PAUSE",
    idempotencyKey: randomUUID(),
  }),
  "ControlCommandService/PauseJob": async (environment) => ({
    ...(await job(environment)),
    idempotencyKey: randomUUID(),
  }),
  "ControlCommandService/CommandJobs": async (environment) => {
    const { runId } = await job(environment);
    return { jobs: [{ runId }], action: "TRAINING_CONTROL_ACTION_PAUSE", idempotencyKey: randomUUID() };
  },
  "RunService/CreatePipeline": () => ({ name: "audited" }),
  "RunService/UpdatePipeline": async (environment) => ({ ...(await pipeline(environment)), name: "renamed" }),
  "RunService/ArchivePipeline": pipeline,
  "RunService/RestorePipeline": async (environment) => {
    const archived = await pipeline(environment);
    await environment.made("RunService/ArchivePipeline", archived);
    return archived;
  },
  "RunService/DeletePipeline": pipeline,
  "RunService/CreateRun": async (environment) => {
    const { pipeline } = await environment.made("RunService/CreatePipeline", { name: "audited" });
    return { pipelineId: pipeline.id, name: "audited", jobs: [{ name: "train" }] };
  },
  "RunService/UpdateRun": async (environment) => ({ ...(await run(environment)), notes: "audited" }),
  "RunService/ArchiveRun": run,
  "RunService/RestoreRun": async (environment) => {
    const archived = await run(environment);
    await environment.made("RunService/ArchiveRun", archived);
    return archived;
  },
  "RunService/DeleteRun": run,
  "ArtifactService/CollectArtifacts": unusedArtifact,
  "CheckpointService/PruneCheckpoints": async (environment) => ({
    ...(await jobWithCheckpoints(environment)),
    keepNewest: 1,
  }),
  "SupervisionLeaseService/AcquireSupervisionLease": job,
  "SupervisionLeaseService/RenewSupervisionLease": lease,
  "SupervisionLeaseService/ReleaseSupervisionLease": lease,
  "DatasetService/CreateDataset": () => ({ name: "audited" }),
  "DatasetService/InferDatasetColumns": async (environment) => {
    const sample = Buffer.from("b\n1\n").toString("base64");
    return { datasetId: await dataset(environment), format: "SAMPLE_FORMAT_CSV", sample };
  },
  "DatasetService/SetDatasetSensitiveColumns": async (environment) => ({
    datasetId: await dataset(environment),
    columns: ["a"],
  }),
  "DatasetService/DeleteDataset": async (environment) => ({ datasetId: await dataset(environment) }),
  "DataDictionaryService/PatchDataDictionary": async (environment) => ({
    datasetId: await dataset(environment),
    entries: [{ name: "a", description: "audited" }],
  }),
  "DataDictionaryService/DeleteDataDictionaryEntry": async (environment) => ({
    datasetId: await dataset(environment),
    name: "a",
  }),
  "AutomationService/CreateAutomation": () => ({ name: "audited" }),
  "AutomationService/SaveAutomationDraft": automationDraft,
  "AutomationService/PublishAutomation": async (environment) => {
    const wanted = await automationDraft(environment);
    await environment.made("AutomationService/SaveAutomationDraft", wanted);
    return { automationId: wanted.automationId, ifMatch: "*" };
  },
  "AutomationService/DeleteAutomation": async (environment) => ({ automationId: await automation(environment) }),
  "AutomationService/StartAutomationRun": async (environment) => ({
    automationId: await waitingAutomation(environment),
  }),
  "AutomationService/CancelAutomationRun": async (environment) => {
    const automationId = await waitingAutomation(environment);
    return { runId: (await environment.made("AutomationService/StartAutomationRun", { automationId })).run.id };
  },
  "AutomationService/UpdateAutomationSettings": async (environment) => ({
    automationId: await automation(environment),
    enabled: false,
  }),
  "FeatureMemoryService/PutFeature": () => ({ featureKey: randomUUID() }),
  "FeatureMemoryService/DeleteFeature": async (environment) => ({ featureKey: await feature(environment) }),
  "FeatureMemoryService/RestoreFeature": async (environment) => {
    const featureKey = await feature(environment);
    await environment.made("FeatureMemoryService/DeleteFeature", { featureKey, keep: true });
    return { featureKey };
  },
  "FeatureMemoryService/PutFeatureUsage": usage,
  "FeatureMemoryService/DeleteFeatureUsage": async (environment) => {
    const { assetName, ...wanted } = await usage(environment);
    await environment.made("FeatureMemoryService/PutFeatureUsage", { ...wanted, assetName });
    return wanted;
  },
  "EmailDraftService/CreateEmailDraft": () => ({ subject: "audited", text: "audited" }),
  "EmailDraftService/UpdateEmailDraft": async (environment) => ({
    draftId: await emailDraft(environment),
    subject: "another",
    text: "audited",
  }),
  "EmailDraftService/DeleteEmailDraft": async (environment) => ({ draftId: await emailDraft(environment) }),
  "EmailDraftService/SendEmailDraft": async (environment) => ({ draftId: await emailDraft(environment) }),
};
