import {
  type FindMediaContentResponseSchema,
  MediaKind,
  type Media as MediaMessage,
  type MediaName as MediaNameMessage,
  MediaNameSchema,
  MediaSchema,
} from "@aiplatform/contract/aiplatform/training/v1/media";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { MediaContent, MediaKindName, StoredMedium } from "../media/media.ts";
import type { MediaName } from "../media/media-store.ts";
import type { MediaBytes } from "./media-bytes.ts";

const kindNumbers: Readonly<Record<MediaKindName, MediaKind>> = {
  histogram: MediaKind.HISTOGRAM,
  image: MediaKind.IMAGE,
  table: MediaKind.TABLE,
  text: MediaKind.TEXT,
};

export function mediumMessage({ segment, storedAt, kind, content, ...medium }: StoredMedium): MediaMessage {
  return create(MediaSchema, {
    ...medium,
    kind: kindNumbers[kind],
    segmentIndex: segment,
    createdAt: timestampFromDate(storedAt),
    content: contentMessage(content),
  });
}

function contentMessage(content: MediaContent): NonNullable<MessageInitShape<typeof MediaSchema>["content"]> {
  switch (content.case) {
    case "histogram":
      return { case: "histogram", value: { edges: [...content.value.edges], counts: [...content.value.counts] } };
    case "table":
      return { case: "table", value: { text: content.value } };
    case "file":
      return { case: "file", value: { ...content.value, sizeBytes: BigInt(content.value.sizeBytes) } };
    case "text":
      return content;
  }
}

export function sourceMessage(
  source: MediaBytes["source"],
): NonNullable<MessageInitShape<typeof FindMediaContentResponseSchema>["source"]> {
  if (source.case === "data") return source;
  return { case: "file", value: { ...source.value, sizeBytes: BigInt(source.value.sizeBytes) } };
}

export function mediaNameMessage({ kind, ...name }: MediaName): MediaNameMessage {
  return create(MediaNameSchema, { ...name, kind: kindNumbers[kind] });
}
