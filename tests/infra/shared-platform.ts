import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type LocalPlatform,
  type PlatformOptions,
  startPlatform,
  until,
  writeShellVariables,
} from "@aiplatform/local-platform";
import { afterAll, beforeAll } from "vitest";
import { assertPermissionsSuffice } from "./nats-refusals.ts";
import { neverOverloaded, startsWithinMs, withoutCredentialLimit } from "./own-platform.ts";
import { trustedHandlers } from "./trusted-handlers.ts";
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
  /** Whether the model of the demo has made vectors of its digits. A platform of its own, with a trainer. Default false. */
  embeddings?: boolean;
  /** Whether no other file may have used it before, such as where a page's names are taken. Default false. */
  fresh?: boolean;
  /** Whether another trainer takes the demo run over, after which the platform's own may not have it again. Default false. */
  takesTrainer?: boolean;
  /** Whether each service needs a process of its own, since one is killed or measured. Default false: they share one, which takes less CPU. */
  separate?: boolean;
}

/** Fakes that files stop on platforms where services share a process. */
const stoppedFakes = ["fake-oauth", "fake-smtp"];

/** Of the trainer: enough for a curve. Its own pace takes CPU from the tests. */
const stepsPerSecond = 10;
/** An idle platform takes a tenth of a core: it is stopped when no file has used it for so long, ms. */
const idleMs = 10_000;

/** A platform from its start to its end. */
class Shared implements AsyncDisposable {
  hasTrainer: boolean;
  readonly isSeparate: boolean;
  readonly started: Promise<SharedPlatform>;
  /** Whether its trainers run. */
  trains: boolean;
  readonly #parts = new AsyncDisposableStack();

  constructor({ trainer = false, separate = false, embeddings = false }: SharedKind) {
    this.hasTrainer = trainer;
    this.isSeparate = separate;
    this.trains = trainer;
    this.started = this.#start(embeddings);
  }

  async #start(embeddings: boolean): Promise<SharedPlatform> {
    const home = await mkdtemp(join(tmpdir(), "platform-"));
    this.#parts.defer(() => rm(home, { recursive: true, force: true }));
    for (const name of ["examples", "node_modules", "sdks"]) await symlink(join(root, name), join(home, name));
    const directory = join(home, ".local");
    const settings = {
      ...withoutCredentialLimit,
      gateway: { ...withoutCredentialLimit["gateway"], ...neverOverloaded, ...open },
      deployments: { ...withoutCredentialLimit["deployments"], ...trustedHandlers },
    };
    const separate: PlatformOptions["separate"] = this.isSeparate ? "all" : stoppedFakes;
    const plan = { directory, trainer: this.hasTrainer, embeddings, settings, stepsPerSecond, separate };
    const platform = this.#parts.use(await startPlatform(plan));
    await writeShellVariables(directory, platform.description);
    return Object.assign(platform, { home });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([this.started]);
    await this.#parts.disposeAsync();
  }
}

let current: Shared | undefined;
/** Stops the current one. */
let idle: NodeJS.Timeout | undefined;

/** The platform of this worker, started where there is none, or none of the kind that is needed. */
function acquire(kind: SharedKind): Shared {
  const { trainer = false, fresh = false, separate = false, embeddings = false } = kind;
  clearTimeout(idle);
  const fits = current && (current.hasTrainer || !trainer) && (current.isSeparate || !separate);
  if (current && fits && !fresh && !embeddings) return current;
  void current?.[Symbol.asyncDispose]();
  current = workerResources.use(new Shared(kind));
  return current;
}

/** Disposing twice is nothing: the worker's end disposes it again. */
function release(shared: Shared): void {
  clearTimeout(idle);
  idle = setTimeout(() => {
    if (current === shared) current = undefined;
    void shared[Symbol.asyncDispose]();
  }, idleMs);
  idle.unref();
}

/** Trainers that no file looks at would take a fifth of a core each. */
async function train(shared: Shared, platform: SharedPlatform, wanted: boolean): Promise<void> {
  if (shared.trains === wanted) return;
  for (const name of ["trainer", "pipeline-trainer"])
    await (wanted ? platform.restart(name) : platform.kill(name, "SIGTERM"));
  shared.trains = wanted;
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
export function sharedPlatform(use: (platform: SharedPlatform) => void, kind: SharedKind = {}): void {
  let shared: Shared;
  let directory = "";
  beforeAll(async () => {
    shared = acquire(kind);
    const platform = await shared.started;
    await train(shared, platform, kind.trainer ?? false);
    await ready(platform);
    directory = platform.directory;
    use(platform);
  }, startsWithinMs);
  afterAll(() => {
    if (kind.takesTrainer) shared.hasTrainer = false;
    release(shared);
    return assertPermissionsSuffice(directory);
  });
}
