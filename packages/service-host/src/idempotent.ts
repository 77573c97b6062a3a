import { callerOf } from "@aiplatform/caller-identity";
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";

/** Remembers answers; document-store's `IdempotencyStore` is one, whose sessions are transactions. */
export interface Idempotency<Session> {
  run(
    request: {
      organisationId: string;
      operation: string;
      key: string;
      request: Uint8Array;
      credentialId: string;
    },
    work: (session: Session) => Promise<Uint8Array>,
  ): Promise<{ answer: Uint8Array; isRepeated: boolean }>;
}

/** A call whose request carries an idempotency key, if its client wants that. */
export interface IdempotentCall<Input extends DescMessage> {
  readonly request: MessageShape<Input> & { idempotencyKey: string };
  readonly context: Pick<HandlerContext, "values" | "method" | "responseHeader">;
}

/** Response metadata of an answer that was given before. */
const repeatedHeader = "idempotency-replayed";

/**
 * Serves an RPC at most once per key: a repeat with the same credential gets the first answer, marked by `idempotency-replayed: true`. `work` has its
 * effect in the session and nowhere else, because it may run again. Answers are kept in clear: none may hold a secret.
 * Rejects as the store does, and with whatever `work` throws.
 */
export async function idempotent<Input extends DescMessage, Output extends DescMessage, Session>(
  idempotency: Idempotency<Session>,
  method: DescMethodUnary<Input, Output>,
  { request, context }: IdempotentCall<Input>,
  work: (session: Session) => Promise<MessageInitShape<Output>>,
): Promise<MessageShape<Output>> {
  const { organisationId, credentialId } = callerOf(context);
  const operation = `${method.parent.typeName}/${method.name}`;
  const keyless = { ...request, idempotencyKey: "" };
  const asked = {
    ...{ organisationId, operation, credentialId },
    key: request.idempotencyKey,
    request: toBinary(method.input, keyless),
  };
  const { answer, isRepeated } = await idempotency.run(asked, async (session) =>
    toBinary(method.output, create(method.output, await work(session))),
  );
  if (isRepeated) context.responseHeader.set(repeatedHeader, "true");
  return fromBinary(method.output, answer);
}
