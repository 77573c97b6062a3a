import { access, constants, mkdtemp, rmdir, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import {
  type Check,
  checkService,
  type Diagnostics,
  either,
  type Finding,
  failed,
  fine,
  hostChecks,
  peers,
  reasonOf,
  sharedSecret,
  warning,
} from "@aiplatform/doctor";
import { mongodb } from "@aiplatform/doctor/mongodb";
import { boundariesOf, enforcementText, findSandbox, readEnforcement, type Sandbox } from "@aiplatform/serving-runtime";
import { openArtifacts } from "./artifacts/artifacts.ts";
import { type DeploymentsConfig, deploymentsSettings, readConfig } from "./config.ts";
import { missingRights } from "./serving/kubernetes-driver/missing-rights.ts";
import { deploymentsMigrations } from "./stores.ts";

export const diagnostics: Diagnostics<DeploymentsConfig> = {
  service: "deployments",
  settings: deploymentsSettings,
  readConfig,
  checks: (config, env) => [
    ...hostChecks("deployments", config, env, filesPort(config)),
    ...mongodb(config, deploymentsMigrations),
    ...peers(config, { addresses: addressesOf(config) }),
    ...sharedSecret("SECRETS_KEYS", config.SECRETS_KEYS, env, "deployments"),
    tokens(config),
    artifacts(config),
    { name: "serving", remedy: "SERVING_DRIVER says where instances run", run: () => lookAtDriver(config) },
  ],
};

function addressesOf({ IDENTITY_ADDRESS, TRAINING_ADDRESS, DATA_ADDRESS }: DeploymentsConfig) {
  return { IDENTITY_ADDRESS, TRAINING_ADDRESS, DATA_ADDRESS };
}

/** How the tokens of instances are stored. */
function tokens({ INSTANCE_TOKENS: stored }: DeploymentsConfig): Check {
  const clear = warning(
    "tokens of instances are stored in clear",
    "set INSTANCE_TOKENS=sealed once no replica of an earlier version runs",
  );
  const finding = either(stored === "sealed", "tokens of instances are stored sealed", clear);
  return { name: "keys", remedy: "INSTANCE_TOKENS says how tokens are stored", run: async () => [finding] };
}

function filesPort({ SERVING_DRIVER: driver, SERVING_FILES_PORT }: DeploymentsConfig) {
  return driver === "kubernetes" ? { ports: { SERVING_FILES_PORT }, unasked: ["SERVING_FILES_PORT"] } : {};
}

/** Space below which uploads soon fail. */
const minFreeBytes = 1024 ** 3;

/** Where artifacts are kept: a directory that can be written to, or a bucket that answers. */
function artifacts(config: DeploymentsConfig): Check {
  const remedy =
    config.ARTIFACTS_S3_URL === undefined
      ? "ARTIFACTS_DIRECTORY is a directory that the service's user may write to, the same for every replica"
      : "ARTIFACTS_S3_URL, ARTIFACTS_S3_REGION and the key (ARTIFACTS_S3_ACCESS_KEY_ID, …_SECRET_ACCESS_KEY) name a bucket that is there";
  return { name: "artifacts", remedy, run: (signal) => lookAtArtifacts(config, signal) };
}

async function lookAtArtifacts(config: DeploymentsConfig, signal: AbortSignal): Promise<Finding[]> {
  const { ARTIFACTS_DIRECTORY: directory, ARTIFACTS_S3_URL: url } = config;
  if (directory === undefined) {
    await using store = openArtifacts(config).artifacts;
    await store.ping(signal);
    return [fine(`the bucket ${new URL(url ?? "").pathname.slice(1)} answers`)];
  }
  await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  // Permissions do not tell of a file system that was mounted read-only.
  await rmdir(await mkdtemp(join(directory, ".doctor-")));
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const says = `${directory} can be written to, ${(free / 1024 ** 3).toFixed(1)} GiB free`;
  return [either(free >= minFreeBytes, says, warning(says, "make the volume of ARTIFACTS_DIRECTORY larger"))];
}

/** Where instances run: rights in the cluster, or an address that processes can listen on. */
async function lookAtDriver(config: DeploymentsConfig): Promise<Finding[]> {
  if (config.SERVING_DRIVER === "kubernetes") return lookAtCluster(config);
  return [await lookAtHost(config), await lookAtSandbox(config), await lookAtLimits(config)];
}

/** What holds instances to their limits, as the service that runs has found out: another process may have another group. */
async function lookAtLimits({ SERVING_DIRECTORY: directory }: DeploymentsConfig): Promise<Finding> {
  const enforcement = await readEnforcement(directory);
  if (!enforcement) return fine("the service tells what holds instances to their limits once it runs");
  const { lacks } = enforcement;
  const without = lacks === undefined ? "" : `; without control groups: ${lacks}`;
  return fine(`limits of instances are held by ${enforcementText(enforcement)}${without}`);
}

/** Whether the machine can contain the code of handlers. */
async function lookAtSandbox(config: DeploymentsConfig): Promise<Finding> {
  let sandbox: Sandbox;
  try {
    sandbox = await findSandbox({ choice: config.SERVING_SANDBOX });
  } catch (error) {
    return failed(reasonOf(error), "leave SERVING_SANDBOX out, so that the strongest sandbox of the machine is used");
  }
  if (sandbox.kind !== "none") return fine(`handlers run in a sandbox of ${boundariesOf(sandbox)}`);
  const says = `this machine cannot contain the code of handlers: ${sandbox.reason}`;
  if (config.TRUST_SERVING_CODE)
    return warning(`${says}; they run all the same`, "unset TRUST_SERVING_CODE unless you trust their authors");
  return warning(
    `${says}; they are refused`,
    "use Linux with Python 3 and user namespaces or Landlock, or SERVING_DRIVER=kubernetes",
  );
}

async function lookAtCluster({
  KUBERNETES_NAMESPACE: namespace,
  KUBECONFIG: kubeconfig,
}: DeploymentsConfig): Promise<Finding[]> {
  try {
    const missing = await missingRights({ namespace, kubeconfig });
    const remedy = `bind the role of k8s/components/serving to the service account in ${namespace} (KUBERNETES_NAMESPACE)`;
    const lacking = failed(`in ${namespace} the service may not ${missing.join(", ")}`, remedy);
    return [either(missing.length === 0, `every right that is needed in ${namespace}`, lacking)];
  } catch (error) {
    const remedy = "KUBECONFIG names the cluster; unset, the pod's service account does (automountServiceAccountToken)";
    return [failed(`the cluster does not answer: ${reasonOf(error)}`, remedy)];
  }
}

/** Instances take any free port of that address. */
function lookAtHost({ SERVING_HOST: host }: DeploymentsConfig): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", (error) => {
      const remedy = "SERVING_HOST is an address of this machine, at which the gateway reaches it";
      resolve(failed(`processes cannot listen on ${host}: ${reasonOf(error)}`, remedy));
    });
    server.listen({ host, port: 0 }, () => server.close(() => resolve(fine(`processes can listen on ${host}`))));
  });
}

export const check = checkService(diagnostics);
