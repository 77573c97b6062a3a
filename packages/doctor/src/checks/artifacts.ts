import { access, constants, mkdtemp, rmdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { type DeploymentsConfig, openArtifacts } from "@aiplatform/deployments/checkup";
import { type Check, either, type Finding, fine, warning } from "../check.ts";

/** Space below which uploads soon fail. */
const leastFreeBytes = 1024 ** 3;

/** Where artifacts are kept: a directory that can be written to, or a bucket that answers. */
export const artifacts: Check = {
  name: "artifacts",
  looks: (services) =>
    services.flatMap((service) =>
      service.kind === "deployments"
        ? [
            {
              of: [service.name],
              remedy:
                service.config.ARTIFACTS_S3_URL === undefined
                  ? "ARTIFACTS_DIRECTORY is a directory that the service's user may write to, the same for every replica"
                  : "ARTIFACTS_S3_URL, ARTIFACTS_S3_REGION and the key (ARTIFACTS_S3_ACCESS_KEY_ID, …_SECRET_ACCESS_KEY) name a bucket that is there",
              run: (signal: AbortSignal) => look(service.config, signal),
            },
          ]
        : [],
    ),
};

async function look(config: DeploymentsConfig, signal: AbortSignal): Promise<Finding[]> {
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
  return [either(free >= leastFreeBytes, says, warning(says, "make the volume of ARTIFACTS_DIRECTORY larger"))];
}
