import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPlatform, type PlatformOptions, startPlatform } from "@aiplatform/local-platform";
import { serviceNames } from "@aiplatform/service-keys";
import { afterAll, beforeAll } from "vitest";
import { assertPermissionsSuffice } from "./nats-refusals.ts";
import { trustedHandlers } from "./trusted-handlers.ts";

/** A start is many processes and a model: on a busy machine it takes its time. One that fails says so earlier. */
export const startsWithinMs = 600_000;
/** Settings of all services with which no number of bad credentials is too large: all tests come from one address. */
export const withoutCredentialLimit: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  serviceNames.map((name) => [name, { FAILED_CREDENTIALS_PER_MINUTE: "1000000" }]),
);
/** What is answered here is not to depend on how busy the machine is. */
export const neverOverloaded = { CALL_SLACK_MS: "60000", SHED_DELAY_MS: "60000" };

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
    const directory = await mkdtemp(join(tmpdir(), "platform-"));
    parts.defer(() => rm(directory, { recursive: true, force: true }));
    parts.defer(() => assertPermissionsSuffice(directory));
    const settings = {
      ...options.settings,
      gateway: { ...neverOverloaded, ...options.settings?.["gateway"] },
      deployments: { ...trustedHandlers, ...options.settings?.["deployments"] },
    };
    const plan = { directory, trainer: false, ...options, settings, signal: over.signal };
    use(parts.use(await startPlatform(plan)));
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
