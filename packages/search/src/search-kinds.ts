import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { WorkspaceService } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { route } from "@aiplatform/contract/transcoder/v1/route";
import { type DescMethod, getOption } from "@bufbuild/protobuf";

/** A service that searches what it keeps. */
export type SearchedService = "training" | "deployments" | "content" | "identity";

/** Something that is found. */
export interface KindOfThing {
  service: SearchedService;
  /** Who may call this finds it. */
  permission: string;
  /** Path to read it, with parameters in braces. */
  path: string;
}

function readBy(service: SearchedService, method: DescMethod): KindOfThing {
  const { rule } = getOption(method, access);
  const { pattern } = getOption(method, route);
  if (rule.case !== "permission" || pattern.case !== "get")
    throw new Error(`${method.name} is no read by a permission`);
  return { service, permission: rule.value, path: pattern.value };
}

/** What can be found, and the operation that reads it. */
export const searchKinds: ReadonlyMap<SearchKind, KindOfThing> = new Map([
  [SearchKind.PIPELINE, readBy("training", RunService.method.getPipeline)],
  [SearchKind.RUN, readBy("training", RunService.method.getRun)],
  [SearchKind.MODEL, readBy("deployments", ModelService.method.getModel)],
  [SearchKind.DEPLOYMENT, readBy("deployments", DeploymentService.method.getDeployment)],
  [SearchKind.AUTOMATION, readBy("content", AutomationService.method.getAutomation)],
  [SearchKind.DATASET, readBy("content", DatasetService.method.getDataset)],
  [SearchKind.DICTIONARY_ENTRY, readBy("content", DataDictionaryService.method.getDataDictionary)],
  [SearchKind.FEATURE, readBy("content", FeatureMemoryService.method.getFeature)],
  [SearchKind.EMAIL_DRAFT, readBy("content", EmailDraftService.method.getEmailDraft)],
  [SearchKind.WORKSPACE, readBy("identity", WorkspaceService.method.getWorkspace)],
  [SearchKind.MEMBER, readBy("identity", MemberService.method.getMember)],
]);

/** @throws Error for what cannot be found */
export function kindOfThing(kind: SearchKind): KindOfThing {
  const known = searchKinds.get(kind);
  if (!known) throw new Error(`nothing of kind ${kind} is searched`);
  return known;
}

/** Kinds that are asked for and that a caller may read. Empty `kinds`: all. */
export function readableKinds(permissions: ReadonlySet<string>, kinds: readonly SearchKind[]): SearchKind[] {
  const wanted = [...searchKinds].filter(([kind]) => kinds.length === 0 || kinds.includes(kind));
  return wanted.filter(([, { permission }]) => permissions.has(permission)).map(([kind]) => kind);
}
