import { randomUUID } from "node:crypto";
import {
  GroupingStatus,
  type WorkspaceAsset,
  type WorkspaceSettings,
} from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { connectDocumentStore } from "@aiplatform/document-store";
import { eventually } from "@aiplatform/testkit";
import { type IdentityClients, type IdentityRig, operatorKey } from "./identity-rig.ts";

/** An asset as a client proposes it. */
export interface AssetInput {
  assetId: string;
  role: string;
  source: string;
  confidence: number;
  evidence: { text: string };
}

/** A workspace as a client proposes it. */
export interface WorkspaceInput {
  name: string;
  draftId: string;
  description?: string;
  seedAssetId?: string;
  assets?: AssetInput[];
}

/** A proposal as a client writes it down. */
export interface ProposalInput {
  algorithmVersion: string;
  workspaces: WorkspaceInput[];
}

/** An organisation of a test's own. */
export interface WorkspaceOrganisation extends IdentityClients {
  id: string;
  apiKey: string;
}

/** What a rig has that an organisation is made with. */
export type Founding = Pick<IdentityRig, "as">;

/** Founds an organisation for one test. */
export async function foundOrganisation(rig: Founding): Promise<WorkspaceOrganisation> {
  const slug = `o${randomUUID().slice(0, 13)}`;
  const administrator = { displayName: "Ada", email: `ada@${slug}.test` };
  const { organisations } = rig.as({ bearer: operatorKey });
  const { organisation, apiKeySecret } = await organisations.createOrganisation({ slug, name: slug, administrator });
  return { ...rig.as({ apiKey: apiKeySecret }), id: organisation?.id ?? "", apiKey: apiKeySecret };
}

/** Registers an asset and answers its id. */
export async function registered(
  { assets }: IdentityClients,
  name: string,
  more: { kind?: string; datasetIds?: string[] } = {},
): Promise<string> {
  const { asset } = await assets.registerAsset({ name, kind: "report", ...more });
  return asset?.id ?? "";
}

/** An asset as proposed, good in every field. */
export function proposedAsset(assetId: string, more: Partial<AssetInput> = {}): AssetInput {
  return { assetId, role: "supporting", source: "manual", confidence: 1, evidence: { text: "{}" }, ...more };
}

/** A proposal of one workspace. */
export function proposalOf(workspace: Partial<WorkspaceInput>, algorithmVersion = "v1"): ProposalInput {
  return { algorithmVersion, workspaces: [{ name: "Churn", draftId: randomUUID(), ...workspace }] };
}

/** What is in a workspace. */
export async function contentOf({ workspaces }: IdentityClients, workspaceId: string): Promise<WorkspaceAsset[]> {
  return (await workspaces.listWorkspaceAssets({ workspaceId, limit: 1_000 })).assets;
}

/** The settings now. */
export async function settingsOf({ workspaces }: IdentityClients): Promise<WorkspaceSettings> {
  const { settings } = await workspaces.getWorkspaceSettings({});
  if (!settings) throw new Error("there are no settings in the answer");
  return settings;
}

/** Waits until grouping has come to a status. */
export async function settledAs(clients: IdentityClients, ...statuses: GroupingStatus[]): Promise<WorkspaceSettings> {
  const settled = async () => {
    const settings = await settingsOf(clients);
    return statuses.includes(settings.groupingStatus) && settings;
  };
  return await eventually(settled, `grouping to be ${statuses.map((status) => GroupingStatus[status]).join(" or ")}`);
}

/** What was staged of an organisation's workspaces, as `entity.happened`, in order. */
export async function announced(
  { config }: Pick<IdentityRig, "config">,
  organisationId: string,
): Promise<{ happened: string; entityId: string }[]> {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = config;
  await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
  const found = store.database
    .collection<{ type: string; entity_id: string }>("outbox")
    .find({ organisation_id: organisationId, type: /\.identity\.(workspace|workspace_settings|asset)\./ })
    .sort({ staged_at: 1 });
  return (await found.toArray()).map(({ type, entity_id: entityId }) => {
    return { happened: type.split(".").slice(2, 4).join("."), entityId };
  });
}
