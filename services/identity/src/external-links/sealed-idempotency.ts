import type { ClientSession, IdempotencyStore, IdempotentAnswer, IdempotentRequest } from "@aiplatform/document-store";
import type { SealedSecrets } from "@aiplatform/sealed-secrets";

/** Answers that hold a secret: kept for their repeats like others, but sealed. */
export function sealedIdempotency(
  idempotency: Pick<IdempotencyStore, "run">,
  secrets: SealedSecrets,
): Pick<IdempotencyStore, "run"> {
  return {
    async run(
      request: IdempotentRequest,
      work: (session: ClientSession) => Promise<Uint8Array>,
    ): Promise<IdempotentAnswer> {
      if (request.key === "") return idempotency.run(request, work);
      const { organisationId, operation, key } = request;
      const place = { organisationId, recordId: JSON.stringify([operation, key]), purpose: "answer" };
      const { answer, isRepeated } = await idempotency.run(request, async (session) =>
        Buffer.from(await secrets.seal(await work(session), place)),
      );
      return { answer: await secrets.open(Buffer.from(answer).toString(), place), isRepeated };
    },
  };
}
