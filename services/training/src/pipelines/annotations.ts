import type { JsonObject } from "@aiplatform/contract/transcoder/v1/json";
import type { FieldViolation } from "@aiplatform/service-host";

/** Bytes of JSON text. */
const maxAnnotationBytes = 16_384;

/** What is wrong with annotations that no schema can say. */
export function annotationsViolations(annotations: Pick<JsonObject, "text"> | undefined): FieldViolation[] {
  if (Buffer.byteLength(annotations?.text ?? "") <= maxAnnotationBytes) return [];
  const description = `has more than ${maxAnnotationBytes} bytes`;
  return [{ field: "annotations", reason: "ANNOTATIONS_TOO_LONG", description }];
}
