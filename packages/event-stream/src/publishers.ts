import { CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { operatorName } from "@aiplatform/service-keys";
import { eventType } from "./event-record.ts";

/** What every service may say, whatever its domain: that it has refused a call. */
const ofAllServices: ReadonlySet<string> = new Set([eventType(CallRefusedSchema)]);

/** Whether a service may publish events of a type: those of the domain that the contract gives it. */
export function mayPublish(service: string, type: string): boolean {
  if (service === operatorName) return false;
  const [root, domain] = type.split(".");
  return (root === "aiplatform" && domain === service) || ofAllServices.has(type);
}
