import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { DatasetEmbeddingService } from "@aiplatform/contract/aiplatform/data/v1/dataset_embeddings";
import { DatasetVersionService } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { OrganisationService } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";

/** Clients of what the demo is made with. */
export function demoClients(transports: {
  identity: Transport;
  training: Transport;
  content: Transport;
  deployments: Transport;
  data: Transport;
}) {
  return {
    organisations: createClient(OrganisationService, transports.identity),
    apiKeys: createClient(ApiKeyService, transports.identity),
    credentials: createClient(CredentialService, transports.identity),
    roles: createClient(RoleService, transports.identity),
    members: createClient(MemberService, transports.identity),
    runs: createClient(RunService, transports.training),
    datasets: createClient(DatasetService, transports.content),
    dictionaries: createClient(DataDictionaryService, transports.content),
    automations: createClient(AutomationService, transports.content),
    drafts: createClient(EmailDraftService, transports.content),
    features: createClient(FeatureMemoryService, transports.content),
    models: createClient(ModelService, transports.deployments),
    deployments: createClient(DeploymentService, transports.deployments),
    versions: createClient(DatasetVersionService, transports.data),
    embeddings: createClient(DatasetEmbeddingService, transports.data),
  };
}

/** See {@link demoClients}. */
export type DemoClients = ReturnType<typeof demoClients>;

/** Options of a call made with a credential: a key of ours or an access token. */
export const as = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` }, timeoutMs: 20_000 });

/** Undefined instead of an error when the call fails with one of the codes. */
export async function unless<T>(call: Promise<T>, ...codes: Code[]): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (codes.includes(ConnectError.from(error).code)) return undefined;
    throw error;
  }
}
