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
  run(request: RememberedRequest, work: (session: Session) => Promise<Uint8Array>): Promise<RememberedAnswer>;
}

/** One whose work can be prepared, outside of its transaction, where the answer is not known yet. */
export interface PreparingIdempotency<Session> {
  runPrepared(
    request: RememberedRequest,
    prepare: () => Promise<(session: Session) => Promise<Uint8Array>>,
  ): Promise<RememberedAnswer>;
}

interface RememberedRequest {
  organisationId: string;
  operation: string;
  key: string;
  request: Uint8Array;
  credentialId: string;
}

interface RememberedAnswer {
  answer: Uint8Array;
  isRepeated: boolean;
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
  call: IdempotentCall<Input>,
  work: (session: Session) => Promise<MessageInitShape<Output>>,
): Promise<MessageShape<Output>> {
  const asked = rememberedRequest(method, call);
  return answerOf(method, call, await idempotency.run(asked, written(method, work)));
}

/**
 * As `idempotent`, for work that begins with questions to other services. A repeat asks none of them, so that it is answered as the
 * first one was, whatever has become of what they were asked about.
 */
export async function idempotentPrepared<Input extends DescMessage, Output extends DescMessage, Session>(
  idempotency: PreparingIdempotency<Session>,
  method: DescMethodUnary<Input, Output>,
  call: IdempotentCall<Input>,
  prepare: () => Promise<(session: Session) => Promise<MessageInitShape<Output>>>,
): Promise<MessageShape<Output>> {
  const asked = rememberedRequest(method, call);
  return answerOf(method, call, await idempotency.runPrepared(asked, async () => written(method, await prepare())));
}

function rememberedRequest<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  { request, context }: IdempotentCall<Input>,
): RememberedRequest {
  const { organisationId, credentialId } = callerOf(context);
  const keyless = { ...request, idempotencyKey: "" };
  return {
    ...{ organisationId, credentialId, operation: `${method.parent.typeName}/${method.name}` },
    key: request.idempotencyKey,
    request: toBinary(method.input, keyless),
  };
}

function written<Output extends DescMessage, Session>(
  { output }: DescMethodUnary<DescMessage, Output>,
  work: (session: Session) => Promise<MessageInitShape<Output>>,
): (session: Session) => Promise<Uint8Array> {
  return async (session) => toBinary(output, create(output, await work(session)));
}

function answerOf<Input extends DescMessage, Output extends DescMessage>(
  { output }: DescMethodUnary<Input, Output>,
  { context }: IdempotentCall<Input>,
  { answer, isRepeated }: RememberedAnswer,
): MessageShape<Output> {
  if (isRepeated) context.responseHeader.set(repeatedHeader, "true");
  return fromBinary(output, answer);
}
