import { NotFoundError } from "@aiplatform/service-kit/not-found";

/** Something that can be in a workspace. */
export interface Asset {
  id: string;
  organisationId: string;
  name: string;
  /** Such as `pipeline` or `dataset`. */
  kind: string;
  /** Datasets that it has to do with: texts that are only compared. */
  datasetIds: string[];
  /** The service that tells of it; absent when it was registered here. */
  owner?: string | undefined;
  /** Of when what the owner tells is; absent where that was not kept. */
  toldAt?: Date | undefined;
  /** Workspaces that it is in. */
  workspaceIds: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** What a service or caller that knows an asset says of it. */
export type AssetFacts = Pick<Asset, "id" | "name" | "kind" | "datasetIds" | "owner" | "toldAt">;

/** Assets that an organisation may register. What services tell of is not counted: it exists already. */
export const maxRegisteredAssets = 10_000;

export class AssetNotFoundError extends NotFoundError {
  override name = "AssetNotFoundError";
}

/** A service of the platform tells of the asset: only what happens there changes it. */
export class AssetOwnedError extends Error {
  override name = "AssetOwnedError";
  readonly owner: string;
  constructor(owner: string) {
    super(`The asset is ${owner}'s own and cannot be changed here`);
    this.owner = owner;
  }
}

/** The organisation has registered as many assets as it may. */
export class AssetLimitError extends Error {
  override name = "AssetLimitError";
  readonly limit: number;
  constructor(limit: number) {
    super(`The organisation has reached its limit of ${limit} registered assets`);
    this.limit = limit;
  }
}

/** @throws AssetOwnedError */
export function assertRegisteredHere({ owner }: Pick<Asset, "owner">): void {
  if (owner !== undefined) throw new AssetOwnedError(owner);
}

/** Whether the facts say the same of the asset as is known. */
export function isKnownAs(asset: Asset, facts: AssetFacts): boolean {
  return (
    asset.name === facts.name &&
    asset.kind === facts.kind &&
    asset.owner === facts.owner &&
    asset.datasetIds.length === facts.datasetIds.length &&
    asset.datasetIds.every((id, index) => id === facts.datasetIds[index])
  );
}
