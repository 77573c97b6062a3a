import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { ask, type Json } from "../mesh/rest.ts";
import { sdkFolder, sdkPython } from "./sdk-python.ts";

type Description = LocalPlatform["description"];

/** A pipeline for a sweep, a directory, and the program of the SDK's tests that sweeps. */
export interface SweepRig extends AsyncDisposable {
  /** Interpreter and arguments of the program; `kind`: where it trains. */
  command(kind: "here" | "elsewhere"): [python: string, args: string[]];
  readonly env: NodeJS.ProcessEnv;
  /** The pipeline's runs with their tags, first one first. */
  runs(): Promise<Json[]>;
  /** Each step that a trial took, as "rate step". */
  stepsTaken(): Promise<string[]>;
}

async function created(platform: Description, path: string, body: Json): Promise<Json> {
  const answer = await ask(platform, { path, body });
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

const permissions = ["metrics:report", "metrics:read", "training:write", "training:command", "models:write"];

/** `steps`: of each trial. */
export async function sweepRig(platform: Description, steps: number): Promise<SweepRig> {
  const directory = await mkdtemp(join(tmpdir(), "python-sweep-"));
  const { id } = await created(platform, "/platform/pipelines", { name: `Sweep ${randomUUID()}` });
  const key = await created(platform, "/platform/api-keys", { name: "sweep", permission_ids: permissions });
  const { python, ...packages } = await sdkPython();
  const taken = join(directory, "steps");
  return {
    command: (kind) => [python, [join(sdkFolder, "tests", "sweeping.py"), kind]],
    env: {
      ...process.env,
      ...packages,
      PLATFORM_URL: platform.gateway,
      PLATFORM_API_KEY: key.secret,
      PIPELINE_ID: id,
      SWEEP_DIRECTORY: join(directory, "sweep"),
      STEPS: String(steps),
      STEPS_TAKEN: taken,
    },
    runs: async () => (await ask(platform, { path: `/platform/pipelines/${id}/runs` })).body.toReversed(),
    stepsTaken: async () => (await readFile(taken, "utf8").catch(() => "")).split("\n").filter(Boolean),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
