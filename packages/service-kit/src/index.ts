export { ClaimingWorker, type ClaimingWorkerOptions } from "./claiming-worker.ts";
export type { OrganisationPurges } from "./organisation-purge/organisation-purges.ts";
export type { PurgeParts } from "./organisation-purge/start-organisation-purge.ts";
export {
  type DomainPlatform,
  type DomainService,
  type DomainServiceParts,
  type DomainStores,
  startDomainService,
} from "./start-domain-service.ts";
export { fieldViolations, storeErrors } from "./store-errors.ts";
export { startWorker, type Worker, type WorkerPlatform } from "./worker.ts";
export { claimingWorkerMetrics, workerMetrics } from "./worker-metrics.ts";
