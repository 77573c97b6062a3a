import { createHash } from "node:crypto";
import { join } from "node:path";
import { ensureBuilt, filesBelow, repository, statsOf } from "./build-cache.ts";
import type { BuildOptions } from "./programs.ts";

const builder = join(repository, "scripts", "build-console.ts");

/**
 * The folder with the console, built from its sources as they are now; undefined where it cannot be built, a source that does not
 * parse say. The platform then starts without it.
 */
export async function builtConsole({ log, signal }: BuildOptions): Promise<string | undefined> {
  try {
    return await ensureBuilt({ name: `console-${keyOfSources()}`, command: [builder], signal });
  } catch (error) {
    if (!signal?.aborted) log(`there is no console: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/** Changes with each file that can be part of the console. */
function keyOfSources(): string {
  const folders = ["src", "gen", "public"].map((folder) => join("apps", "console", folder));
  const own = ["index.html", "package.json", "vite.config.ts"].map((name) => join("apps", "console", name));
  const client = ["src", "gen"].map((folder) => join("packages", "client", folder));
  const files = [...folders, ...client].flatMap((folder) => filesBelow(folder, /\.(ts|tsx|js|css|svg)$/));
  const hash = createHash("sha256")
    .update(process.version)
    .update(statsOf(["package-lock.json", "scripts/console.ts", ...own, ...files]));
  return hash.digest("hex").slice(0, 16);
}
