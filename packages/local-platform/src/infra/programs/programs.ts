import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { ensureBuilt, filesBelow, repository, statsOf } from "./build-cache.ts";

const builder = join(repository, "scripts", "bundle-local-platform.ts");

/** How Node is to run a program. */
export interface ProgramCommand {
  /** The file that runs: a bundle, or the source itself. */
  main: string;
  args: string[];
  env: Record<string, string>;
}

/** How to run each program of this repository, by its main file. */
export type Programs = (main: string) => ProgramCommand;

/** From the sources as they are: for a program that is being worked on. */
export const fromSources: Programs = (main) => ({
  main,
  args: ["--disable-warning=ExperimentalWarning", main],
  env: {},
});

export interface BuildOptions {
  log: (line: string) => void;
  /** Gives a build up. */
  signal?: AbortSignal | undefined;
}

/**
 * Programs bundled from the sources as they are now: they start in a third of the time. A bundle is made when a source has
 * changed since the last one. Where none can be made, a source that does not parse say, the programs run from their sources,
 * and tell themselves what is wrong.
 */
export async function bundledPrograms({ log, signal }: BuildOptions): Promise<Programs> {
  try {
    const folder = await ensureBuilt({ name: keyOfSources(), command: [builder], signal });
    const bundles: Record<string, string> = JSON.parse(await readFile(join(folder, "bundles.json"), "utf8"));
    return (main) => {
      const bundle = bundles[relative(repository, main)];
      if (bundle === undefined) return fromSources(main);
      const positions = join(folder, bundles[stackPositions] ?? "");
      const path = join(folder, bundle);
      return {
        main: path,
        args: ["--import", positions, path],
        // Removed with the bundles that it is of.
        env: { NODE_COMPILE_CACHE: join(folder, "compiled") },
      };
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    if (!signal?.aborted) log(`the services start from their sources, which takes longer: ${why}`);
    return fromSources;
  }
}

const stackPositions = "packages/local-platform/src/infra/programs/stack-positions.ts";

/** Changes with each file that can be part of a program. */
function keyOfSources(): string {
  const files = ["package-lock.json", "scripts/bundle.ts", "scripts/bundle-local-platform.ts"];
  for (const kind of ["packages", "services", "examples"]) {
    for (const name of readdirSync(join(repository, kind))) {
      files.push(join(kind, name, "package.json"));
      for (const folder of ["src", "gen"]) files.push(...filesBelow(join(kind, name, folder), /\.(ts|js|json|py)$/));
    }
  }
  const hash = createHash("sha256").update(repository).update(process.version).update(statsOf(files));
  return hash.digest("hex").slice(0, 16);
}
