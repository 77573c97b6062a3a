import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, type ConnectError } from "@connectrpc/connect";

/** Failures whose text is ours alone: those that are no caller's doing, and why a credential is bad. */
const ownWords = new Set([
  Code.Unknown,
  Code.Internal,
  Code.DataLoss,
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Unauthenticated,
]);

/** Whether the text of a failure may quote what the caller wrote, which is nothing for logs and traces. */
export function mayQuoteCaller({ code }: ConnectError): boolean {
  return !ownWords.has(code);
}

/** What logs and traces say of a failure: its text where that is ours, else its stable reason. */
export function failureSummary(error: ConnectError): string {
  if (!mayQuoteCaller(error)) return error.rawMessage;
  return error.findDetails(ErrorInfoSchema)[0]?.reason ?? Code[error.code];
}
