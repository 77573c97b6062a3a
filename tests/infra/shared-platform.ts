import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { beforeAll } from "vitest";
import { neverOverloaded, startsWithinMs } from "./own-platform.ts";
import { workerResources } from "./worker-resources.ts";

let started: Promise<LocalPlatform> | undefined;

async function start(): Promise<LocalPlatform> {
  const directory = await mkdtemp(join(tmpdir(), "platform-"));
  workerResources.defer(() => rm(directory, { recursive: true, force: true }));
  return workerResources.use(
    await startPlatform({ directory, trainer: false, settings: { gateway: neverOverloaded } }),
  );
}

/**
 * Gives the tests of a file the platform that all files of this worker share, without a trainer. For files that neither
 * kill a process nor need settings of their own, and that expect only what they made themselves.
 */
export function sharedPlatform(use: (platform: LocalPlatform) => void): void {
  beforeAll(async () => {
    started ??= start();
    use(await started);
  }, startsWithinMs);
}
