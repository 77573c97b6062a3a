import { access, constants, mkdtemp, rmdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
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
  warning,
} from "@aiplatform/doctor";
import { mongodb } from "@aiplatform/doctor/mongodb";
import { boundariesOf, offeredSandboxes } from "@aiplatform/serving-runtime/sandbox";
import { type DataConfig, dataSettings, readConfig } from "./config.ts";
import { dataLocations } from "./data-locations/location-check.ts";
import { embeddingEndpoints } from "./embedding-endpoints/endpoint-check.ts";
import { dataMigrations } from "./stores.ts";

export const diagnostics: Diagnostics<DataConfig> = {
  service: "data",
  settings: dataSettings,
  readConfig,
  checks: (config, env) => [
    ...hostChecks("data", config, env),
    ...mongodb(config, dataMigrations),
    ...peers(config, { addresses: addressesOf(config) }),
    directory(config),
    ...dataLocations(config),
    ...embeddingEndpoints(config),
    {
      name: "sandbox",
      remedy: "DATA_SANDBOX says what contains reading",
      run: async () => [await lookAtSandbox(config)],
    },
  ],
};

function addressesOf({ IDENTITY_ADDRESS, CONTENT_ADDRESS, DEPLOYMENTS_ADDRESS }: DataConfig) {
  return { IDENTITY_ADDRESS, CONTENT_ADDRESS, DEPLOYMENTS_ADDRESS };
}

/** Where copies of data are kept: a directory that can be written to, with room for as much as the settings allow. */
function directory(config: DataConfig): Check {
  const remedy = "DATA_DIRECTORY is a directory that the service's user may write to";
  return { name: "directory", remedy, run: async () => [await lookAtDirectory(config)] };
}

async function lookAtDirectory(config: DataConfig): Promise<Finding> {
  const { DATA_CACHE_BYTES, DATA_PROCESSES, DATA_TEMPORARY_DISK_MB } = config;
  const path = await present(config.DATA_DIRECTORY);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  // Permissions do not tell of a file system that was mounted read-only.
  await rmdir(await mkdtemp(join(path, ".doctor-")));
  const { blocks, bsize } = await statfs(path);
  const wanted = DATA_CACHE_BYTES + DATA_PROCESSES * DATA_TEMPORARY_DISK_MB * 1024 ** 2;
  const says = `${path} can be written to, on a volume of ${gibibytes(blocks * bsize)} GiB`;
  const small = warning(
    `${says}; the settings may need ${gibibytes(wanted)} GiB`,
    "make it larger, or lower DATA_CACHE_BYTES, DATA_PROCESSES or DATA_TEMPORARY_DISK_MB",
  );
  return either(blocks * bsize >= wanted, says, small);
}

/** The directory, or the nearest one above it while the service has not made it yet. */
async function present(path: string): Promise<string> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  const above = dirname(path);
  return isThere || above === path ? path : present(above);
}

const gibibytes = (bytes: number) => (bytes / 1024 ** 3).toFixed(1);

/** Whether the machine can contain the processes that read data. */
async function lookAtSandbox({ DATA_SANDBOX: choice }: DataConfig): Promise<Finding> {
  if (choice === "none") {
    const remedy = "leave DATA_SANDBOX out, unless all files come from people whom you trust";
    return warning("the processes that read data are not contained: DATA_SANDBOX is none", remedy);
  }
  const { sandboxes, reason } = await offeredSandboxes({});
  const [sandbox] = sandboxes.filter(({ kind }) => choice === "auto" || kind === choice);
  if (sandbox) return fine(`data is read in a sandbox of ${boundariesOf(sandbox)}`);
  const remedy =
    "use Linux with Python 3 and user namespaces or Landlock, or set DATA_SANDBOX=none where all files can be trusted";
  return failed(`data cannot be read, because nothing here contains it (DATA_SANDBOX is ${choice}): ${reason}`, remedy);
}

export const check = checkService(diagnostics);
