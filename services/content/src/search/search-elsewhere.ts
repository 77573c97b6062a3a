import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DeploymentsSearchService } from "@aiplatform/contract/aiplatform/deployments/v1/search";
import { IdentitySearchService } from "@aiplatform/contract/aiplatform/identity/v1/search";
import type { SearchQuery, SearchResult } from "@aiplatform/contract/aiplatform/search/v1/search";
import { TrainingSearchService } from "@aiplatform/contract/aiplatform/training/v1/search";
import { silentCodes } from "@aiplatform/service-kit/peer";
import { type CallOptions, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import type { OtherService, OtherServices } from "../other-services.ts";

/** Time that a service has for its answer, ms. */
const timeoutMs = 3_000;

type Find = (transport: Transport, query: SearchQuery, options: CallOptions) => Promise<{ results: SearchResult[] }>;

/** Another service that searches: data keeps nothing that has a name. */
type SearchingService = Exclude<OtherService, "data">;

/** How each service is asked. */
const finds = {
  identity: (at, query, options) => createClient(IdentitySearchService, at).findMatches({ query }, options),
  training: (at, query, options) => createClient(TrainingSearchService, at).findMatches({ query }, options),
  deployments: (at, query, options) => createClient(DeploymentsSearchService, at).findMatches({ query }, options),
} satisfies Readonly<Record<SearchingService, Find>>;

/** Asks the other services, on behalf of the caller, what they find. */
export class SearchElsewhere {
  readonly #services: OtherServices;

  constructor(services: OtherServices) {
    this.#services = services;
  }

  /** Undefined while the service does not answer. @throws what the service refuses */
  async find(
    caller: ForwardedCaller,
    service: SearchingService,
    query: SearchQuery,
  ): Promise<SearchResult[] | undefined> {
    const transport = this.#services.transportTo(service);
    if (!transport) return undefined;
    try {
      const headers = credentialHeaders(caller, service);
      return (await finds[service](transport, query, { headers, timeoutMs })).results;
    } catch (error) {
      if (silentCodes.includes(ConnectError.from(error).code)) return undefined;
      throw error;
    }
  }
}
