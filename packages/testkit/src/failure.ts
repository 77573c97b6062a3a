import { BadRequestSchema, ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { type Code, ConnectError } from "@connectrpc/connect";

/** How a call failed, as a program sees it. */
export interface Failure {
  code: Code;
  reason: string | undefined;
  message: string;
  metadata: Record<string, string>;
  /** Paths of the fields that are wrong, each with its reason. */
  fields: [path: string, reason: string][];
}

/** Waits for a call to fail. @throws Error when it succeeds */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => ConnectError.from(thrown),
  );
  if (!error) throw new Error("the call succeeded");
  const [info] = error.findDetails(ErrorInfoSchema);
  const [badRequest] = error.findDetails(BadRequestSchema);
  return {
    code: error.code,
    reason: info?.reason,
    message: error.rawMessage,
    metadata: info?.metadata ?? {},
    fields: (badRequest?.fieldViolations ?? []).map(({ field, reason }) => [field, reason]),
  };
}
