/** What an organisation may have of something. */
export interface Quota {
  /** The service that counts it, in its own database. */
  readonly service: "identity" | "training" | "content" | "deployments" | "data";
  /** What the figures count, as the refusal says it: "The organisation uses 3 of 3 …". */
  readonly noun: string;
  /** What one of the figures is. */
  readonly unit: "count" | "bytes" | "mebibytes";
  /** What makes room, as the refusal says it. */
  readonly remedy: string;
  /** Where neither the operator nor the settings of the service say another. */
  readonly limit: number;
  /** The sum is kept instead of being counted again: counting would take too long. */
  readonly isSummed?: boolean;
}

export type QuotaName =
  | "members"
  | "api_keys"
  | "pipelines"
  | "runs"
  | "run_configuration_bytes"
  | "email_drafts"
  | "deployments"
  | "instance_memory_mb"
  | "artifact_bytes"
  | "dataset_versions"
  | "dataset_bytes";

/** Every quota. An organisation that has more than its limit keeps what it has, and gets no more. */
export const quotaTable: Readonly<Record<QuotaName, Quota>> = {
  members: { service: "identity", noun: "members", unit: "count", remedy: "Deactivate one", limit: 10_000 },
  api_keys: { service: "identity", noun: "API keys", unit: "count", remedy: "Revoke one", limit: 1_000 },
  pipelines: {
    service: "training",
    noun: "pipelines",
    unit: "count",
    remedy: "Delete one",
    limit: 10_000,
    isSummed: true,
  },
  runs: {
    service: "training",
    noun: "runs",
    unit: "count",
    remedy: "Delete one",
    limit: 100_000,
    isSummed: true,
  },
  run_configuration_bytes: {
    service: "training",
    noun: "bytes of declared jobs",
    unit: "bytes",
    remedy: "Send smaller configurations, or delete runs",
    limit: 1_073_741_824,
    isSummed: true,
  },
  email_drafts: {
    service: "content",
    noun: "e-mail drafts that were not sent",
    unit: "count",
    remedy: "Delete one",
    limit: 10_000,
  },
  deployments: { service: "deployments", noun: "deployments", unit: "count", remedy: "Delete one", limit: 500 },
  instance_memory_mb: {
    service: "deployments",
    noun: "MB of memory for instances",
    unit: "mebibytes",
    remedy: "Lower max_instances or memory_mb, or stop a deployment",
    limit: 1_048_576,
  },
  artifact_bytes: {
    service: "deployments",
    noun: "bytes of artifacts",
    unit: "bytes",
    remedy: "Use artifacts that are stored already",
    limit: 107_374_182_400,
  },
  dataset_versions: {
    service: "data",
    noun: "versions of datasets",
    unit: "count",
    remedy: "Delete datasets that are not needed",
    limit: 100_000,
  },
  dataset_bytes: {
    service: "data",
    noun: "bytes of data of datasets",
    unit: "bytes",
    remedy: "Purge versions that are not needed",
    limit: 107_374_182_400,
  },
};

/** The highest limit: a count of bytes fits, and every sum below it is exact. */
export const maxLimit = 2 ** 50;

export function isQuotaName(name: string): name is QuotaName {
  return Object.hasOwn(quotaTable, name);
}

/** A limit for some of the quotas. */
export type QuotaLimits = Readonly<Partial<Record<QuotaName, number>>>;

/**
 * The limits that a setting gives, in place of those of the table.
 * @throws Error that says what is wrong with them
 */
export function readLimits(given: unknown, service: Quota["service"]): QuotaLimits {
  if (!isObject(given)) throw new Error("must be a JSON object");
  const limits: Partial<Record<QuotaName, number>> = {};
  for (const [name, limit] of Object.entries(given)) {
    if (!isQuotaName(name) || quotaTable[name].service !== service) {
      const names = Object.entries(quotaTable).flatMap(([own, quota]) => (quota.service === service ? [own] : []));
      throw new Error(`${name} is not a quota of this service; its quotas are: ${names.join(", ")}`);
    }
    if (!Number.isInteger(limit) || limit < 0 || limit > maxLimit) {
      throw new Error(`${name} must be a whole number between 0 and ${maxLimit}`);
    }
    limits[name] = limit;
  }
  return limits;
}

/**
 * The limits that a setting gives to single organisations, by their ids.
 * @throws Error that says what is wrong with them
 */
export function readOrganisationLimits(given: unknown, service: Quota["service"]): ReadonlyMap<string, QuotaLimits> {
  if (!isObject(given)) throw new Error("must be a JSON object");
  const limits = Object.entries(given).map(([id, each]): [string, QuotaLimits] => {
    if (!organisationId.test(id)) throw new Error(`${id} is not an organisation's id`);
    try {
      return [id.toLowerCase(), readLimits(each, service)];
    } catch (error) {
      throw new Error(`${id}: ${error instanceof Error ? error.message : ""}`);
    }
  });
  return new Map(limits);
}

const organisationId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isObject(given: unknown): given is object {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
