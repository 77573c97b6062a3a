import { callerOf } from "@aiplatform/caller-identity";
import {
  type Asset as AssetMessage,
  AssetSchema,
  AssetService,
} from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { idempotent } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Asset } from "./asset.ts";
import { deleteAsset } from "./delete-asset.ts";
import { registerAsset } from "./register-asset.ts";

export function assetRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  router.service(AssetService, {
    registerAsset(request, context) {
      const { assetId, name = "", kind = "", datasetIds } = request;
      const wanted = { id: assetId ?? dependencies.newId(), name, kind, datasetIds };
      const { organisationId } = callerOf(context);
      const { registerAsset: method } = AssetService.method;
      return idempotent(dependencies.idempotency, method, { request, context }, async (session) => ({
        asset: assetMessage(await registerAsset(dependencies, organisationId, wanted, session)),
      }));
    },
    async listAssets({ limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await dependencies.assets.list(organisationId, { ...request, limit });
      return { assets: items.map(assetMessage), nextCursor };
    },
    async deleteAsset({ assetId }, context) {
      const { organisationId } = callerOf(context);
      return { asset: assetMessage(await deleteAsset(dependencies, organisationId, assetId)) };
    },
  });
}

function assetMessage({ createdAt, updatedAt, owner, ...asset }: Asset): AssetMessage {
  return create(AssetSchema, {
    ...asset,
    ...(owner === undefined ? {} : { owner }),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  });
}
