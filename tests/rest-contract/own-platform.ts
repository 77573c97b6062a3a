import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPlatform, type PlatformOptions, startPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll } from "@jest/globals";

/** A start is many processes and a model: on a busy machine it takes its time. */
const startsWithinMs = 180_000;

/**
 * Gives the tests of a file a platform of their own, without a trainer: started before the first of them and handed to
 * `use`, stopped after the last and removed with all its data, also when it did not get ready in time.
 */
export function ownPlatform(
  use: (platform: LocalPlatform) => void,
  options: Omit<PlatformOptions, "directory" | "signal"> = {},
): void {
  const over = new AbortController();
  const parts = new AsyncDisposableStack();
  const start = async () => {
    const directory = await mkdtemp(join(tmpdir(), "rest-contract-"));
    parts.defer(() => rm(directory, { recursive: true, force: true }));
    use(parts.use(await startPlatform({ directory, trainer: false, ...options, signal: over.signal })));
  };
  let started: Promise<void> | undefined;
  beforeAll(async () => {
    started = start();
    await started;
  }, startsWithinMs);
  afterAll(async () => {
    over.abort();
    await Promise.allSettled([started]);
    await parts.disposeAsync();
  });
}
