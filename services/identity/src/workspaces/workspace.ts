import { NotFoundError } from "@aiplatform/service-kit/not-found";

/** A group of an organisation's assets. */
export interface Workspace {
  id: string;
  organisationId: string;
  name: string;
  description: string;
  /** The proposal's draft it was made from; absent when the platform's own rule made it. */
  draftId?: string | undefined;
  /** The asset it grew from. */
  seedAssetId?: string | undefined;
  assetCount: number;
  createdAt: Date;
  updatedAt: Date;
}

/** That an asset is in a workspace, and why. */
export interface Membership {
  workspaceId: string;
  organisationId: string;
  assetId: string;
  /** As proposed; what the asset itself is called comes first. */
  assetName: string;
  role: string;
  source: string;
  confidence: number;
  /** JSON text of an object, as it came. */
  evidence: string;
  algorithmVersion: string;
  acceptedByMemberId?: string | undefined;
  /** Its place among those that came at the same time. */
  position: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Workspaces of an organisation. */
const maxWorkspaces = 10_000;
/** Assets in the workspaces of an organisation, each counted once per workspace that it is in. */
const maxMemberships = 100_000;

export class WorkspaceNotFoundError extends NotFoundError {
  override name = "WorkspaceNotFoundError";
}

/** The organisation would have more than it may. */
export class WorkspaceLimitError extends Error {
  override name = "WorkspaceLimitError";
  readonly limit: number;
  constructor(limit: number, what: "workspaces" | "assets in workspaces") {
    super(`The organisation has reached its limit of ${limit} ${what}`);
    this.limit = limit;
  }
}

/** @throws WorkspaceLimitError */
export function assertWithinLimits({ workspaces, memberships }: { workspaces: number; memberships: number }): void {
  if (workspaces > maxWorkspaces) throw new WorkspaceLimitError(maxWorkspaces, "workspaces");
  if (memberships > maxMemberships) throw new WorkspaceLimitError(maxMemberships, "assets in workspaces");
}
