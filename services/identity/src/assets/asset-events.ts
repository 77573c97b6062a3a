import { AssetDeletedSchema, AssetRegisteredSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Asset } from "./asset.ts";

/** The asset is known, or what is known of it changed. */
export function assetRegistered({ id, organisationId, kind }: Asset, time: Date): OutboxRecord {
  const message = create(AssetRegisteredSchema, { organisationId, assetId: id, kind });
  return eventRecord(AssetRegisteredSchema, message, { organisationId, entityId: id, time });
}

export function assetDeleted({ id, organisationId }: Asset, time: Date): OutboxRecord {
  const message = create(AssetDeletedSchema, { organisationId, assetId: id });
  return eventRecord(AssetDeletedSchema, message, { organisationId, entityId: id, time });
}
