import { minMemoryMiB } from "@aiplatform/data-engine";
import { assertNetwork } from "@aiplatform/guarded-fetch";
import { quotaSettings } from "@aiplatform/quotas";
import { defineSettings, hostSettings, readSettings, type SettingsValues, setting } from "@aiplatform/service-host";
import { domainSettings } from "@aiplatform/service-kit/settings";
import { sandboxChoices } from "@aiplatform/serving-runtime/sandbox";
import { keyedLocations, readLocations } from "./data-locations/location-settings.ts";
import { keyedEndpoints, readEndpoints } from "./embedding-endpoints/endpoint-settings.ts";

/** Every setting of the service, once: type, default and what it is for. */
export const dataSettings = defineSettings({
  ...hostSettings,
  ...domainSettings({ database: "data", holds: "versions of datasets" }),
  ...quotaSettings("data"),
  CONTENT_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of content, host:port, separated by commas; needed to create versions: content keeps the datasets.",
  }),
  DEPLOYMENTS_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of deployments, host:port, separated by commas; needed to read files and to store data: deployments keeps the artifacts.",
  }),
  DATA_DIRECTORY: setting.text({
    default: "/tmp/aiplatform-data",
    description:
      "Directory for copies of data that is read, and for files of queries under way. What is lost there is fetched again.",
  }),
  DATA_CACHE_BYTES: setting.integer({
    default: 10_737_418_240,
    min: 1_048_576,
    max: 17_592_186_044_416,
    description:
      "Bytes of copies in DATA_DIRECTORY; above it, those that were not used for the longest time are removed.",
  }),
  DATA_SANDBOX: setting.text({
    default: "auto",
    oneOf: sandboxChoices,
    description:
      "What contains the processes that read data: `auto` takes the strongest sandbox that the machine offers. Where it offers none, or not " +
      "the one that is named, the service does not start. `none`: they may do what the service may, so all files must be trusted.",
  }),
  DATA_PROCESSES: setting.integer({
    default: 2,
    min: 1,
    max: 256,
    description: "Processes that read data at once, each for one organisation and one request.",
  }),
  DATA_PROCESS_MEMORY_MB: setting.integer({
    default: 1_024,
    min: minMemoryMiB,
    max: 1_048_576,
    description: "Memory of one of these processes, MiB; a request that needs more is refused.",
  }),
  DATA_PROCESS_THREADS: setting.integer({
    default: 2,
    min: 1,
    max: 256,
    description: "Threads of one of these processes.",
  }),
  DATA_TEMPORARY_DISK_MB: setting.integer({
    default: 4_096,
    min: 64,
    max: 16_777_216,
    description:
      "Disk in DATA_DIRECTORY that one of these processes may take beside the copies, MiB; a request that needs more is refused.",
  }),
  DATA_IDLE_MS: setting.duration({
    default: 60_000,
    min: 1_000,
    description: "Time after which a process that has nothing to do ends.",
  }),
  DATA_LOCATIONS: setting.json({
    default: [],
    parse: readLocations,
    description:
      "Folders of S3-compatible buckets that files of versions may be read from: a JSON list of {name, url, organisations, region?}; " +
      "docs/operations/install.md explains each. Empty: files are uploaded.",
  }),
  DATA_LOCATION_KEYS: setting.secretText({
    optional: true,
    description:
      "Keys for these folders: a JSON object of {access_key_id, secret_access_key} by `name`; for one without a key, what the surroundings give a process counts.",
  }),
  DATA_LOCATION_MAX_BYTES: setting.integer({
    default: 1_073_741_824,
    min: 1_024,
    max: 68_719_476_736,
    description: "Bytes of an object there at most; MAX_ARTIFACT_BYTES of deployments bounds it as well.",
  }),
  EMBEDDING_ENDPOINTS: setting.json({
    default: [],
    parse: readEndpoints,
    description:
      "Services outside of the platform that rows may be sent to, to be embedded: a JSON list of {name, url, models, organisations, dimensions?, max_batch?}; " +
      "docs/operations/install.md explains each. Empty: there are none.",
  }),
  EMBEDDING_ENDPOINT_KEYS: setting.secretText({
    optional: true,
    description: "Keys of the platform at these services, sent as bearers: a JSON object of keys by `name`.",
  }),
  EMBEDDING_TIMEOUT_MS: setting.duration({
    default: 60_000,
    min: 1_000,
    max: 600_000,
    description: "Time that such a service has for one answer.",
  }),
  EMBEDDING_ALLOWED_NETWORKS: setting.list({
    default: [],
    check: assertNetwork,
    description:
      "Networks (CIDR) that these services may be in although they are not public; without TLS a service must be in one.",
  }),
});

/** The settings as the service receives them. */
export type DataConfig = SettingsValues<typeof dataSettings>;

/** @throws SettingsError with every mistake in the environment */
export function readConfig(env: Readonly<Record<string, string | undefined>>): DataConfig {
  const config = readSettings(dataSettings, env);
  // What cannot be used is found before anything starts.
  keyedLocations(config.DATA_LOCATIONS, config.DATA_LOCATION_KEYS);
  keyedEndpoints(config.EMBEDDING_ENDPOINTS, config.EMBEDDING_ENDPOINT_KEYS);
  return config;
}
