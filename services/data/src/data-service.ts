import { mkdir } from "node:fs/promises";
import { services } from "@aiplatform/contract/services";
import { followOrganisationLimits } from "@aiplatform/quotas";
import type { Callers, RunningService } from "@aiplatform/service-host";
import { type DomainPlatform, type DomainServiceParts, startDomainService } from "@aiplatform/service-kit";
import type { DataConfig } from "./config.ts";
import { dataQuotas } from "./data-quotas.ts";
import { dataErrors } from "./errors.ts";
import { purgeOfData } from "./organisation-purge.ts";
import { quotaRoutes } from "./quota-rpc.ts";
import { dataIndexes, dataMigrations } from "./stores.ts";

const prefix = "aiplatform.data.v1.";
const dataServices = services.filter(({ typeName }) => typeName.startsWith(prefix));

/** What may be given instead of the real thing: a clock, and how callers are known. */
export interface DataOverrides {
  clock?: () => Date;
  callers?: Callers;
}

/** Starts the data service. @throws Error with one sentence when a setting is invalid, or the database cannot be used */
export function startDataService(config: DataConfig, overrides: DataOverrides = {}): Promise<RunningService> {
  return startDomainService({
    name: "data",
    config,
    services: dataServices,
    errors: dataErrors,
    indexes: dataIndexes,
    migrations: dataMigrations,
    ...overrides,
    start: (platform) => startData(config, platform),
  });
}

async function startData(config: DataConfig, platform: DomainPlatform): Promise<DomainServiceParts> {
  await mkdir(config.DATA_DIRECTORY, { recursive: true, mode: 0o700 });
  const dependencies = { quotas: dataQuotas(platform.store, config) };
  followOrganisationLimits(platform, { ...dependencies, service: "data", identity: config.IDENTITY_ADDRESS });
  return {
    routes: (router) => quotaRoutes(router, dependencies),
    purge: purgeOfData(platform),
  };
}
