import { OrganisationQuotasSetSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";

/** What remembers limits. */
export interface LimitsListener {
  limitsChanged(organisationId: string): void;
}

/** Has every replica read limits again that have changed, at once. */
export function hearChangedLimits(stream: Pick<EventStream, "listen">, quotas: LimitsListener): Disposable {
  const listening = stream.listen(eventSubject(OrganisationQuotasSetSchema), ({ data }) => {
    quotas.limitsChanged(decodeEvent(OrganisationQuotasSetSchema, data).organisationId);
  });
  return { [Symbol.dispose]: () => listening.close() };
}
