import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DataQuotaService } from "@aiplatform/contract/aiplatform/data/v1/quotas";
import { DeploymentsQuotaService } from "@aiplatform/contract/aiplatform/deployments/v1/quotas";
import { IdentityQuotaService } from "@aiplatform/contract/aiplatform/identity/v1/quotas";
import type { Quota } from "@aiplatform/contract/aiplatform/quotas/v1/quotas";
import { TrainingQuotaService } from "@aiplatform/contract/aiplatform/training/v1/quotas";
import { type CallOptions, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import type { OtherService, OtherServices } from "../other-services.ts";

/** Time that a service has for its answer, ms. */
const timeoutMs = 3_000;

/** A service does not say what it counts: without it nothing is said of the others, so that no list looks whole. */
export class QuotasUnavailableError extends Error {
  override name = "QuotasUnavailableError";
  constructor(service: string, why: string, cause?: unknown) {
    super(`The quotas that ${service} counts are not known at the moment: ${why}.`, { cause });
  }
}

type Read = (transport: Transport, options: CallOptions) => Promise<{ quotas: Quota[] }>;

/** How each service is asked. */
const reads = {
  identity: (at, options) => createClient(IdentityQuotaService, at).readQuotas({}, options),
  training: (at, options) => createClient(TrainingQuotaService, at).readQuotas({}, options),
  deployments: (at, options) => createClient(DeploymentsQuotaService, at).readQuotas({}, options),
  data: (at, options) => createClient(DataQuotaService, at).readQuotas({}, options),
} satisfies Readonly<Record<OtherService, Read>>;

/** Why a service that was asked says nothing. Other codes are what it refuses, and what it refuses is the answer. */
const silent = new Map<Code, string>([
  [Code.Unavailable, "it does not answer"],
  [Code.DeadlineExceeded, `it did not answer within ${timeoutMs / 1_000} s`],
  [Code.Unimplemented, "it is of an earlier version"],
]);

/** Asks the other services, on behalf of the caller, for the quotas that they count. */
export class QuotasElsewhere {
  readonly #services: OtherServices;

  constructor(services: OtherServices) {
    this.#services = services;
  }

  /** @throws QuotasUnavailableError, and what the service refuses */
  async read(caller: ForwardedCaller, service: OtherService): Promise<Quota[]> {
    const transport = this.#transportTo(service);
    try {
      const headers = credentialHeaders(caller, service);
      return (await reads[service](transport, { headers, timeoutMs })).quotas;
    } catch (error) {
      const why = silent.get(ConnectError.from(error).code);
      throw why === undefined ? error : new QuotasUnavailableError(service, why, error);
    }
  }

  /** As `read`; none where the installation does not have the service. */
  async readIfInstalled(caller: ForwardedCaller, service: OtherService): Promise<Quota[]> {
    return this.#services.transportTo(service) ? this.read(caller, service) : [];
  }

  #transportTo(service: OtherService): Transport {
    const transport = this.#services.transportTo(service);
    if (transport) return transport;
    throw new QuotasUnavailableError(service, `its address is not set here (${service.toUpperCase()}_ADDRESS)`);
  }
}
