import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPlatform, startPlatform, until, writeShellVariables } from "@aiplatform/local-platform";
import { afterAll, beforeAll } from "vitest";
import { assertPermissionsSuffice } from "./nats-refusals.ts";
import { neverOverloaded, startsWithinMs, withoutCredentialLimit } from "./own-platform.ts";
import { workerResources } from "./worker-resources.ts";

const root = join(import.meta.dirname, "../..");

/** What is answered here is not to depend on how many calls the files before made. Requests may name the address they come from. */
const open = {
  TRUSTED_PROXIES: "127.0.0.0/8",
  REQUESTS_PER_SECOND: "1000000",
  ANONYMOUS_REQUESTS_PER_MINUTE: "1000000",
};

/** The platform that files of a worker share, and a directory that looks like the repository that it was started in. */
export type SharedPlatform = LocalPlatform & { home: string };

/** What there is from its start. */
export interface SharedKind {
  /** Whether a trainer is at work on the demo run, and the demo has a model. Default false. */
  trainer?: boolean;
}

let withTrainer: Promise<SharedPlatform> | undefined;
/** Whether the trainers of that one run. */
let trains = true;
let withoutTrainer: Promise<SharedPlatform> | undefined;

async function start(trainer: boolean): Promise<SharedPlatform> {
  const home = await mkdtemp(join(tmpdir(), "platform-"));
  workerResources.defer(() => rm(home, { recursive: true, force: true }));
  for (const name of ["examples", "node_modules"]) await symlink(join(root, name), join(home, name));
  const directory = join(home, ".local");
  const settings = {
    ...withoutCredentialLimit,
    gateway: { ...withoutCredentialLimit["gateway"], ...neverOverloaded, ...open },
  };
  const platform = workerResources.use(await startPlatform({ directory, trainer, settings, separateFakes: true }));
  await writeShellVariables(directory, platform.description);
  return Object.assign(platform, { home });
}

/** Trainers that no file looks at would take a fifth of a core each. */
async function train(platform: SharedPlatform, wanted: boolean): Promise<void> {
  if (trains === wanted) return;
  for (const name of ["trainer", "pipeline-trainer"])
    await (wanted ? platform.restart(name) : platform.kill(name, "SIGTERM"));
  trains = wanted;
}

/** A file before may have killed what it then started again: its neighbours need a moment to find it. */
async function ready({ adminUrls }: LocalPlatform): Promise<void> {
  const everyProcess = async () => {
    const looks = Object.values(adminUrls).map((url) => fetch(`${url}/readyz`).then(({ ok }) => ok));
    const outcomes = await Promise.allSettled(looks);
    return outcomes.every((outcome) => outcome.status === "fulfilled" && outcome.value) || undefined;
  };
  await until(everyProcess, { withinMs: 30_000, otherwise: () => new Error("the shared platform is not ready") });
}

/**
 * Gives the tests of a file the platform that the files of this worker share. For files that need no settings of their own,
 * that start again what they kill, and that expect only what they made themselves.
 */
export function sharedPlatform(use: (platform: SharedPlatform) => void, { trainer = false }: SharedKind = {}): void {
  let directory = "";
  beforeAll(async () => {
    if (trainer) withTrainer ??= start(true);
    else if (!withTrainer) withoutTrainer ??= start(false);
    const platform = await (withTrainer ?? withoutTrainer);
    if (!platform) throw new Error("no platform was started");
    if (withTrainer) await train(platform, trainer);
    await ready(platform);
    directory = platform.directory;
    use(platform);
  }, startsWithinMs);
  afterAll(() => assertPermissionsSuffice(directory));
}
