import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ModelService } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { WorkspaceService } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { type CallOptions, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import type { OtherService, OtherServices } from "../other-services.ts";
import type { UsingAsset } from "./feature-usage.ts";

/** Time that a service has for its answer, ms. */
const timeoutMs = 3_000;

/** Nothing can be said about whether an asset exists. */
export class AssetsUnavailableError extends Error {
  override name = "AssetsUnavailableError";
  constructor(assetType: string, cause: unknown) {
    super(`The service that knows each ${assetType} does not answer. Nothing was changed.`, { cause });
  }
}

type Look = (transport: Transport, id: string, options: CallOptions) => Promise<unknown>;

/** How to look for an asset, by its type. Of other types the platform knows nothing. */
const looks: Readonly<Record<string, { owner: OtherService; look: Look }>> = {
  deployment: {
    owner: "deployments",
    look: (at, deploymentId, options) => createClient(DeploymentService, at).getDeployment({ deploymentId }, options),
  },
  model: {
    owner: "deployments",
    look: (at, modelId, options) => createClient(ModelService, at).getModel({ modelId }, options),
  },
  workspace: {
    owner: "identity",
    look: (at, workspaceId, options) => createClient(WorkspaceService, at).getWorkspace({ workspaceId }, options),
  },
};

/** Asks the service that owns an asset, on behalf of the caller, whether it exists. */
export class KnownAssets {
  readonly #services: OtherServices;

  constructor(services: OtherServices) {
    this.#services = services;
  }

  /**
   * An asset of a service that is not set up here cannot exist.
   * @throws InvalidFieldsError, AssetsUnavailableError, and what the service refuses, such as a missing permission to read
   */
  async assertKnown(caller: ForwardedCaller, asset: UsingAsset): Promise<void> {
    const known = looks[asset.assetType];
    if (!known) return;
    const transport = this.#services.transportTo(known.owner);
    if (!transport) throw unknown(asset);
    try {
      await known.look(transport, asset.assetId, { headers: credentialHeaders(caller, known.owner), timeoutMs });
    } catch (error) {
      throw failureOf(error, asset);
    }
  }
}

function unknown({ assetType }: UsingAsset): InvalidFieldsError {
  const description = `Value error, there is no ${assetType} with this id`;
  return new InvalidFieldsError([{ field: "asset_id", reason: "ASSET_UNKNOWN", description }]);
}

function failureOf(error: unknown, asset: UsingAsset): unknown {
  const { code } = ConnectError.from(error);
  // An id of another form is no asset's.
  if (code === Code.NotFound || code === Code.InvalidArgument) return unknown(asset);
  if (code === Code.Unavailable || code === Code.DeadlineExceeded)
    return new AssetsUnavailableError(asset.assetType, error);
  return error;
}
