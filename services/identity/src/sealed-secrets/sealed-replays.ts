import type { ClientSession, ReplayableAnswer, ReplayableRequest, ReplayStore } from "@aiplatform/document-store";
import type { SealedSecrets } from "./sealed-secrets.ts";

/** Answers that hold a secret: kept for their repeats like others, but sealed. */
export function sealedReplays(replays: Pick<ReplayStore, "run">, secrets: SealedSecrets): Pick<ReplayStore, "run"> {
  return {
    async run(
      request: ReplayableRequest,
      work: (session: ClientSession) => Promise<Uint8Array>,
    ): Promise<ReplayableAnswer> {
      if (request.key === "") return replays.run(request, work);
      const { organisationId, operation, key } = request;
      const place = { organisationId, recordId: JSON.stringify([operation, key]), purpose: "answer" };
      const { answer, replayed } = await replays.run(request, async (session) =>
        Buffer.from(await secrets.seal(await work(session), place)),
      );
      return { answer: await secrets.open(Buffer.from(answer).toString(), place), replayed };
    },
  };
}
