import { CredentialChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { Platform } from "@aiplatform/service-host";

/** Has identity asked again about a caller whose rights have changed, at once on every replica. */
export function evictChangedCredentials(stream: EventStream, { exchange }: Pick<Platform, "exchange">): Disposable {
  const listening = stream.listen(eventSubject(CredentialChangedSchema), ({ data }) => {
    exchange?.evict(decodeEvent(CredentialChangedSchema, data));
  });
  return { [Symbol.dispose]: () => listening.close() };
}
