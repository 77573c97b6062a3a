import type { components } from "../gen/api.d.ts";
import type { PlatformClient } from "./platform-client.ts";
import type { WaitOptions } from "./wait-options.ts";

/** How the sending of an e-mail draft goes. */
export type SendingProgress = components["schemas"]["EmailSendingProgress"];

/** How it is waited. */
export interface SendingWaitOptions extends WaitOptions {
  /** Gets each count on the way. */
  heard?: (progress: SendingProgress) => void;
}

/**
 * Waits until a draft is no longer being sent, and returns how it went.
 * @throws the signal's reason when that is aborted before
 */
export async function settledSending(
  platform: Pick<PlatformClient, "events">,
  { draft_id }: { draft_id: string },
  { signal, heard = () => {} }: SendingWaitOptions = {},
): Promise<SendingProgress> {
  let last: SendingProgress | undefined;
  for await (const { data } of platform.events(
    "/platform/email-drafts/{draft_id}/progress",
    { path: { draft_id } },
    signal,
  )) {
    last = data;
    heard(data);
  }
  signal?.throwIfAborted();
  if (!last) throw new Error(`the progress of draft ${draft_id} ended before it began`);
  return last;
}
