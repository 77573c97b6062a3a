import type { TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { OidcClient, OidcIdentity } from "../fakes/oidc/oidc-identity.ts";
import { type ContentIds, seedContent } from "./content-seed.ts";
import { as, type DemoClients, unless } from "./demo-clients.ts";
import type { DemoOrganisationName } from "./demo-organisations.ts";
import { type DemoOrganisation, type DemoRecord, readDemoRecord, writeDemoRecord } from "./demo-record.ts";
import { seedEmbeddings } from "./embedding-seed.ts";
import { type ModelIds, seedModel } from "./model-seed.ts";
import { rolePermissions, seedOrganisation } from "./organisation-seed.ts";
import { seedRun } from "./run-seed.ts";
import { seedSuccessor, seedVersion } from "./version-seed.ts";

export interface DemoPlan {
  clients: DemoClients;
  provider: OidcIdentity;
  /** An access token of a client. */
  token: (client: OidcClient) => Promise<string>;
  operatorKey: string;
  /** File that remembers ids and keys. */
  recordPath: string;
  job: MessageInitShape<typeof TrainingJobSchema>;
  /** Whether there is to be a model; one that is there already stays. */
  model: boolean;
  /** Whether the demo's dataset has a second version, and the model makes vectors of both, which takes a deployment. Nothing waits for them. */
  embeddings: boolean;
  /** Rows of the demo's dataset, as lines of JSON; it has them where there is a model. */
  rows: () => Promise<Uint8Array>;
  /** Has a trainer that holds a key train a run to its end. */
  train: (runId: string, trainerKey: string) => Promise<void>;
  log: (line: string) => void;
}

/** An organisation of the demo and a token of its administrator. */
export type DemoAccess = DemoOrganisation & { bearer: string };

/** What there is now. */
export type Demo = Record<DemoOrganisationName, DemoAccess> & {
  trainerKey: string;
  content: ContentIds;
  model: ModelIds;
};

/** Makes the demo's organisations, runs, keys, content and model, or finds them: the ids and keys stay the same from start to start. */
export async function seedDemo(plan: DemoPlan): Promise<Demo> {
  const record = await readDemoRecord(plan.recordPath);
  const demo = await seedAccess(plan, record, "demo");
  // Beside each other: none needs what another makes. The record is kept as it is at that moment, and whole at the end.
  const [foreign, trainerKey, content] = await Promise.all([
    seedAccess(plan, record, "foreign"),
    seedTrainerKey(plan, record, demo.bearer),
    seedContent(plan.clients, { bearer: demo.bearer, known: record.content }),
  ]);
  record.content = content;
  await writeDemoRecord(plan.recordPath, record);
  const seeded = { demo, foreign, trainerKey, content };
  if (!plan.model) return { ...seeded, model: record.model ?? { model_id: "" } };
  const dataset = { bearer: demo.bearer, datasetId: content.dataset_id };
  await seedVersion(plan.clients, { ...dataset, rows: plan.rows });
  // Beside the training: it takes longer than reading the first version and writing the second.
  const [model] = await Promise.all([
    seedModel(plan.clients, {
      bearer: demo.bearer,
      pipelineId: demo.pipeline_id,
      job: plan.job,
      known: record.model,
      train: (runId) => plan.train(runId, trainerKey),
      log: plan.log,
    }),
    plan.embeddings && seedSuccessor(plan.clients, dataset),
  ]);
  record.model = model;
  await writeDemoRecord(plan.recordPath, record);
  if (plan.embeddings) await seedEmbeddings(plan.clients, { ...dataset, modelId: model.model_id });
  return { ...seeded, model };
}

async function seedAccess(plan: DemoPlan, record: DemoRecord, slug: DemoOrganisationName): Promise<DemoAccess> {
  const { clients, provider, operatorKey, job, recordPath } = plan;
  const client = provider.clients.find(({ organisation }) => organisation === slug);
  if (!client) throw new Error(`the identity provider has no client for the organisation ${slug}`);
  const bearer = await plan.token(client);
  const known = record[slug];
  const { organisationId, apiKey } = await seedOrganisation(
    clients,
    { slug, name: slug === "demo" ? "Demo" : "Foreign", issuer: provider.issuer, subject: client.id, bearer },
    { operatorKey, knownKey: known?.api_key },
  );
  const access = { organisation_id: organisationId, api_key: apiKey };
  const ids = await seedRun(clients, {
    apiKey,
    job,
    known: known?.organisation_id === organisationId ? known : undefined,
    log: slug === "demo" ? plan.log : () => {},
  });
  // Also where the run is the same: the key need not be.
  record[slug] = { ...access, ...ids };
  await writeDemoRecord(recordPath, record);
  return { ...access, ...ids, bearer };
}

async function seedTrainerKey({ clients, recordPath }: DemoPlan, record: DemoRecord, bearer: string): Promise<string> {
  const { organisations, apiKeys } = clients;
  const known = record.trainer_key;
  if (known && (await unless(organisations.getOrganisation({}, as(known)), Code.Unauthenticated))) return known;
  const permissionIds = await rolePermissions(clients, bearer, "trainer");
  const { secret } = await apiKeys.createApiKey({ name: "mnist-trainer", permissionIds }, as(bearer));
  record.trainer_key = secret;
  await writeDemoRecord(recordPath, record);
  return secret;
}
