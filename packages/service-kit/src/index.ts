export { type PeriodicTask, startPeriodicTask } from "./periodic-task.ts";
export {
  type DomainPlatform,
  type DomainService,
  type DomainServiceParts,
  type DomainStores,
  startDomainService,
} from "./start-domain-service.ts";
export { fieldViolations, storeErrors } from "./store-errors.ts";
