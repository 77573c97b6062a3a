import { assertNetwork } from "@aiplatform/guarded-fetch/address-guard";
import { quotaSettings } from "@aiplatform/quotas";
import { keyRingSetting } from "@aiplatform/sealed-secrets";
import {
  defineSettings,
  hostSettings,
  readSettings,
  SettingsError,
  type SettingsValues,
  setting,
} from "@aiplatform/service-host";
import { domainSettings } from "@aiplatform/service-kit/settings";
import { controlGroupChoices } from "@aiplatform/serving-runtime/control-groups";
import { sandboxChoices } from "@aiplatform/serving-runtime/sandbox";
import { workerPoolSettings } from "@aiplatform/worker-pool";
import { assertBucketUrl, assertServerUrl } from "./artifacts/bucket-location.ts";
import { kubernetesSettings, missingForKubernetes } from "./serving/kubernetes-driver/kubernetes-settings.ts";
import { servingTlsSettings } from "./serving/serving-tls.ts";

/** Every setting of the service, once: type, default and what it is for. */
export const deploymentsSettings = defineSettings({
  ...hostSettings,
  ...workerPoolSettings,
  ...domainSettings({ database: "deployments", holds: "models, deployments and rollouts" }),
  ...quotaSettings("deployments"),
  TRAINING_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of training, host:port, separated by commas; needed for files, media and data of runs, and to know which artifacts runs refer to. Empty: no artifact is removed.",
  }),
  DATA_ADDRESS: setting.list({
    default: [],
    description:
      "gRPC addresses of data, host:port, separated by commas; needed where that service is installed, to know which artifacts versions of datasets refer to. Empty: it gets no artifacts.",
  }),
  SECRETS_KEYS: setting.secretText(keyRingSetting),
  INSTANCE_TOKENS: setting.text({
    default: "sealed",
    oneOf: ["sealed", "clear"],
    description:
      "How the tokens of instances are stored. clear: as an earlier version reads them, only while replicas of one still run.",
  }),
  ARTIFACTS_DIRECTORY: setting.text({
    optional: true,
    description:
      "Directory for artifacts, on a volume that every replica has; either this or ARTIFACTS_S3_URL is needed.",
  }),
  ARTIFACTS_S3_URL: setting.url({
    optional: true,
    check: assertBucketUrl,
    description: "S3-compatible bucket for artifacts, `https://server/bucket`, with a folder behind it if wanted.",
  }),
  ARTIFACTS_S3_PUBLIC_URL: setting.url({
    optional: true,
    check: assertServerUrl,
    description:
      "Where clients reach the bucket's server, `https://server`, for downloads that do not pass through the gateway. Unset: they all do.",
  }),
  ARTIFACTS_S3_REGION: setting.text({
    default: "us-east-1",
    description: "Region of the bucket, as its server calls it.",
  }),
  ARTIFACTS_S3_ACCESS_KEY_ID: setting.text({
    optional: true,
    description:
      "Id of the key for the bucket; unset: what the surroundings give a process, such as the role of its machine.",
  }),
  ARTIFACTS_S3_SECRET_ACCESS_KEY: setting.secretText({ optional: true, description: "Secret of that key." }),
  ARTIFACT_SOURCES: setting.list({
    default: [],
    description:
      "Directories from which results of runs are taken over (`file://` below one of them), separated by commas; " +
      "empty: only what was uploaded.",
  }),
  MAX_ARTIFACT_BYTES: setting.integer({
    default: 1_073_741_824,
    min: 1_024,
    max: 68_719_476_736,
    description: "Bytes of an artifact at most.",
  }),
  ARTIFACT_RETENTION_DAYS: setting.integer({
    default: 30,
    min: 0,
    max: 3_650,
    description: "Days after which artifacts that nothing refers to, and that were not used, are removed. 0: never.",
  }),
  SERVING_DRIVER: setting.text({
    default: "process",
    oneOf: ["process", "kubernetes"],
    description: "Where instances run: as processes of this service, or as pods.",
  }),
  SERVING_DIRECTORY: setting.text({
    default: "/tmp/aiplatform-serving",
    description: "Directory for the files of the versions that processes serve; its content is not kept.",
  }),
  SERVING_HOST: setting.text({
    default: "127.0.0.1",
    description: "Address that processes which serve listen on, and at which the gateway reaches them.",
  }),
  SERVING_SANDBOX: setting.text({
    default: "auto",
    oneOf: sandboxChoices,
    description:
      "What contains processes: `auto` takes the strongest that the machine offers. Any other is used or the service does not start; " +
      "with `none`, handlers are refused.",
  }),
  SERVING_CONTROL_GROUPS: setting.text({
    default: "auto",
    oneOf: controlGroupChoices,
    description:
      "Whether control groups of Linux hold processes to their memory, processors and threads: `auto` uses what the service was given; " +
      "with `required`, it does not start where one of the three is missing.",
  }),
  TRUST_SERVING_CODE: setting.flag({
    default: false,
    description:
      "Whether processes run handlers on a machine that cannot contain them, such as macOS: their code may then do what " +
      "the service's user may.",
  }),
  SERVING_NETWORK: setting.flag({
    default: false,
    description:
      "Whether a handler may ask for the network. It then reaches public addresses over HTTP and HTTPS, and nothing of this machine.",
  }),
  SERVING_ALLOWED_NETWORKS: setting.list({
    default: [],
    check: assertNetwork,
    description:
      "Networks (CIDR) that processes whose handler has the network may reach although they are not public; pods: see the network policies.",
  }),
  ...servingTlsSettings,
  ROLLOUT_TIMEOUT_MS: setting.duration({
    default: 120_000,
    min: 1_000,
    description: "Time that a new version has to become ready; the rollout fails then.",
  }),
  ROLLOUT_LEASE_MS: setting.duration({
    default: 5_000,
    min: 1_000,
    description: "How long the lease on a deployment lasts that a replica no longer renews; then another takes over.",
  }),
  DRAIN_MS: setting.duration({
    default: 3_000,
    description: "How long a version that was replaced goes on answering, for the gateways to notice.",
  }),
  DEPLOYMENT_ENVIRONMENTS: setting.list({
    default: ["development", "staging", "production"],
    description: "Environments that deployments are promoted through, the lowest first, separated by commas.",
  }),
  MAX_PREDICTION_BYTES: setting.integer({
    default: 16_777_216,
    min: 1_024,
    max: 1_073_741_824,
    description: "Bytes of a prediction's body at most.",
  }),
  ...kubernetesSettings,
});

function assertOneArtifactStore(config: SettingsValues<typeof deploymentsSettings>): void {
  const stores = [config.ARTIFACTS_DIRECTORY, config.ARTIFACTS_S3_URL].filter((store) => store !== undefined);
  if (stores.length !== 1) throw new SettingsError(["either ARTIFACTS_DIRECTORY or ARTIFACTS_S3_URL is needed"]);
  if (config.ARTIFACTS_S3_PUBLIC_URL !== undefined && config.ARTIFACTS_S3_URL === undefined) {
    throw new SettingsError(["ARTIFACTS_S3_PUBLIC_URL needs ARTIFACTS_S3_URL"]);
  }
  const key = [config.ARTIFACTS_S3_ACCESS_KEY_ID, config.ARTIFACTS_S3_SECRET_ACCESS_KEY];
  if (key.filter((part) => part !== undefined).length === 1) {
    throw new SettingsError(["ARTIFACTS_S3_ACCESS_KEY_ID and ARTIFACTS_S3_SECRET_ACCESS_KEY need each other"]);
  }
}

export type DeploymentsConfig = SettingsValues<typeof deploymentsSettings>;

/** Reads the environment. @throws SettingsError with every mistake in it */
export function readConfig(env: Readonly<Record<string, string | undefined>>): DeploymentsConfig {
  const config = readSettings(deploymentsSettings, env);
  assertOneArtifactStore(config);
  const missing = missingForKubernetes(config);
  if (missing.length > 0) throw new SettingsError(missing);
  return config;
}
