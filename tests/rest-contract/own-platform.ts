import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPlatform, type PlatformOptions, startPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll } from "@jest/globals";

/**
 * Gives the tests of a file a platform of their own, without a trainer: started before the first of them and handed to
 * `use`, stopped after the last and removed with all its data.
 */
export function ownPlatform(use: (platform: LocalPlatform) => void, options: Omit<PlatformOptions, "directory"> = {}) {
  const parts = new AsyncDisposableStack();
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), "rest-contract-"));
    parts.defer(() => rm(directory, { recursive: true, force: true }));
    use(parts.use(await startPlatform({ directory, trainer: false, ...options })));
  });
  afterAll(async () => await parts.disposeAsync());
}
