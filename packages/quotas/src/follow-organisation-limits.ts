import { OrganisationQuotasSetSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { IdentityQuotaService } from "@aiplatform/contract/aiplatform/identity/v1/quotas";
import { DeletedOrganisations } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, eventSubject } from "@aiplatform/event-stream";
import { type DomainPlatform, startWorker, type Worker } from "@aiplatform/service-kit";
import { createClient } from "@connectrpc/connect";
import { hearChangedLimits, type LimitsListener } from "./hear-changed-limits.ts";
import { limitsFrom } from "./limits-message.ts";
import { OrganisationLimitStore } from "./organisation-limit-store.ts";
import type { LimitsPage } from "./organisation-limits.ts";
import type { Quota } from "./quota-table.ts";
import { type ReconcileDependencies, reconcileLimits } from "./reconcile-limits.ts";

/** Who follows identity's limits, and where identity is. */
export interface LimitFollower {
  readonly service: Exclude<Quota["service"], "identity">;
  /** gRPC addresses. None: identity is not asked, and only its events count. */
  readonly identity: readonly string[];
  /** Told of each organisation whose limits have changed. */
  readonly quotas: LimitsListener;
}

/** The part of a service's platform that following limits takes. */
type FollowPlatform = Pick<
  DomainPlatform,
  "store" | "stream" | "transaction" | "peers" | "parts" | "signal" | "logger" | "meter" | "tracer"
>;

type Parts = LimitFollower & { organisationLimits: OrganisationLimitStore };

/** Between two comparisons with identity, ms: the first after a failure or a start, the second while there is nothing to do. */
const pauses = { pauseMs: 10_000, maxPauseMs: 300_000 };
/** Time that identity has for a page, ms. */
const timeoutMs = 10_000;

/** Has the service's quotas know what the operator has set at identity: from its events at once, and by asking it now and then. */
export function followOrganisationLimits(platform: FollowPlatform, follower: LimitFollower): void {
  const follows = { ...follower, organisationLimits: new OrganisationLimitStore(platform.store) };
  platform.parts.use(hearChangedLimits(platform.stream, follower.quotas));
  platform.parts.use(consumeLimits(platform, follows));
  if (follower.identity.length > 0) platform.parts.use(askForLimits(platform, follows));
}

function consumeLimits({ store, stream }: FollowPlatform, { organisationLimits, service, quotas }: Parts): Consumer {
  return stream.consume({
    durable: `${service}-quotas`,
    subjects: [eventSubject(OrganisationQuotasSetSchema)],
    store,
    handler: async ({ data }, session) => {
      const { organisationId, limits, revision } = decodeEvent(OrganisationQuotasSetSchema, data);
      await organisationLimits.put({ organisationId, limits: limitsFrom(limits), revision }, session);
      quotas.limitsChanged(organisationId);
    },
  });
}

function askForLimits(platform: FollowPlatform, { organisationLimits, identity, quotas }: Parts): Worker {
  const { store, transaction, peers, signal: ended } = platform;
  const deletedOrganisations = new DeletedOrganisations(store);
  const service = createClient(IdentityQuotaService, peers(identity));
  const listActual = async (after: string, limit: number): Promise<LimitsPage> => {
    const { organisations, isLast } = await service.listOrganisationQuotas({ after, limit }, { timeoutMs });
    const items = organisations.map(({ organisationId, limits, revision }) => ({
      organisationId,
      limits: limitsFrom(limits),
      revision,
    }));
    return { items, isLast };
  };
  const isDeleted: ReconcileDependencies["isDeleted"] = (id, session) => deletedOrganisations.has(id, session);
  const dependencies = { organisationLimits, listActual, isDeleted, transaction, quotas };
  const round = (signal: AbortSignal) => reconcileLimits(dependencies, signal);
  return startWorker(platform, { name: "quota-limits", ...pauses, isTraced: true, signal: ended, round });
}
