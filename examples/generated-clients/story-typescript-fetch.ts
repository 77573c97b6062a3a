// Tells the story with the client that openapi-generator makes for fetch.
import {
  AutomationsApi,
  Configuration,
  DatasetsApi,
  HTTPValidationErrorFromJSON,
  OrganisationsApi,
  ResponseError,
  RunLiveMetricsFromJSON,
  TrainingApi,
} from "./typescript_fetch/index.js";

const { GATEWAY = "", KEY = "", PIPELINE: pipelineId = "", RUN: runId = "" } = process.env;
const configuration = new Configuration({ basePath: GATEWAY, accessToken: KEY });
const [organisations, training] = [new OrganisationsApi(configuration), new TrainingApi(configuration)];

const slug = `reader-${crypto.randomUUID()}`;
const permissionIds = ["metrics:read" as const];
const role = await organisations.createRole({ createRoleRequest: { name: "Reader", slug, permissionIds } });
console.log("role", role.slug, ...role.permissionIds);

const dataset = await new DatasetsApi(configuration).createDataset({ createDatasetRequest: { name: "Orders" } });
console.log("dataset", dataset.id, "of", dataset.createdAt.getFullYear());

const metrics = await training.getRunMetrics({ pipelineId, runId });
console.log("metrics", metrics.schemaVersion, metrics.lifecycle.phases[0]?.name);

const automations = new AutomationsApi(configuration);
const steps = (await automations.listAutomations()).flatMap(({ currentVersion }) => currentVersion?.steps ?? []);
console.log("automation of", ...steps.map(({ promptTemplate }) => promptTemplate["type"]));

const { id: automationId } = await automations.createAutomation({ createAutomationRequest: { name: "Greet" } });
const promptTemplate = { type: "prompt" as const, text: "Greet {{ input.name }}" };
const saveAutomationDraftRequest = { steps: [{ key: "greet", name: "Greet", promptTemplate }] };
const draft = await automations.saveAutomationDraft({ automationId, saveAutomationDraftRequest });
console.log("draft that reads", ...draft.variables);

try {
  await organisations.createRole({ createRoleRequest: { name: " ", slug, permissionIds } });
} catch (error) {
  if (!(error instanceof ResponseError)) throw error;
  const { detail = [] } = HTTPValidationErrorFromJSON(await error.response.json());
  for (const { loc, type } of detail) console.log("refused:", ...loc, type);
}

// The method of a stream waits for its end. The one with `Raw` answers as soon as it begins, and has a message in each line.
const { raw } = await training.watchRunMetricsRaw({ pipelineId, runId });
let text = "";
for await (const part of raw.body?.pipeThrough(new TextDecoderStream()) ?? []) {
  text += part;
  if (text.includes("\n")) break;
}
const first = RunLiveMetricsFromJSON(JSON.parse(text.split("\n")[0] ?? ""));
console.log("stream goes on:", first.sequence >= metrics.sequence);
