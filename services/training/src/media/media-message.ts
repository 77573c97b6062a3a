import { createHash } from "node:crypto";
import { MediaKind, type ReportedMedia, ReportedMediaSchema } from "@aiplatform/contract/aiplatform/training/v1/media";
import { toBinary } from "@bufbuild/protobuf";
import type { MediaContent, MediaKindName, NewMedium } from "./media.ts";

/** The contract lets no medium through without a kind. */
export const kindNames: Readonly<Record<MediaKind, MediaKindName>> = {
  [MediaKind.UNSPECIFIED]: "text",
  [MediaKind.HISTOGRAM]: "histogram",
  [MediaKind.IMAGE]: "image",
  [MediaKind.TABLE]: "table",
  [MediaKind.TEXT]: "text",
};

/** What a trainer shows. Its digest is that of the message: what is sent again has the same one. */
export function newMediumOf(medium: ReportedMedia): NewMedium {
  const { name, step, kind } = medium;
  const digest = createHash("sha256").update(toBinary(ReportedMediaSchema, medium)).digest("hex");
  return { name, step, kind: kindNames[kind], content: contentOf(medium.content), digest };
}

function contentOf(content: ReportedMedia["content"]): MediaContent {
  switch (content.case) {
    case "histogram": {
      const { edges, counts } = content.value;
      return { case: "histogram", value: { edges, counts } };
    }
    case "table":
      return { case: "table", value: content.value.text };
    case "file": {
      const { sha256, mediaType, sizeBytes } = content.value;
      return { case: "file", value: { sha256, mediaType, sizeBytes: Number(sizeBytes) } };
    }
    default:
      return { case: "text", value: content.value ?? "" };
  }
}
