import { setting } from "@aiplatform/service-host";
import { type Quota, readLimits, readOrganisationLimits } from "./quota-table.ts";

/** The setting of a service that counts quotas. */
export function quotaSettings(service: Quota["service"]) {
  return {
    QUOTAS: setting.json({
      optional: true,
      parse: (given) => readLimits(given, service),
      description:
        'Limits of organisations for which the operator has set none, as a JSON object such as {"deployments": 50}; ' +
        "docs/operations/quotas.md names the quotas and their defaults.",
    }),
    ORGANISATION_QUOTAS: setting.json({
      optional: true,
      parse: (given) => readOrganisationLimits(given, service),
      description:
        "Limits of single organisations for which the operator has set none, by their ids, as a JSON object such as " +
        '{"019c6b7e-3023-7976-a2a1-0517b4f0ff7b": {"deployments": 800}}; QUOTAS holds for what it does not name.',
    }),
  };
}
