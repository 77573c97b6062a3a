import type { RowFormat } from "@aiplatform/data-engine";
import { type CallHeaders, wantedAlternative } from "@aiplatform/transcoder";

/** Of a stream of Arrow IPC, as the contract names it. */
const arrowStream = "application/vnd.apache.arrow.stream";

/** How a caller wants rows. */
export function wantedFormat(context: Pick<CallHeaders, "requestHeader">): RowFormat {
  return wantedAlternative(context) === arrowStream ? "arrow" : "json";
}

/** Rows in Arrow as the body of an answer. */
export function arrowBody(data: Uint8Array) {
  return { data, contentType: arrowStream };
}
