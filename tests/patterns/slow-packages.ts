import { judgedFolders, patternsOfPackage } from "./dependency-patterns.ts";
import { dependencyExceptions } from "./judged-dependencies.ts";
import { type Slow, slowAmong } from "./judged-patterns.ts";

/** A pattern takes milliseconds to judge on a quiet machine, one of a long list of characters half a second. */
const judgingMs = 30_000;

/** The patterns of some packages and of what those depend on. */
export async function slowOfPackages(
  names: readonly string[],
): Promise<{ count: number; found: ReadonlySet<string>; unlisted: Slow[] }> {
  const found = new Set<string>();
  const unlisted: Slow[] = [];
  for (const [folder, name] of judgedFolders(names)) {
    const all = patternsOfPackage(name, folder).patterns;
    const written = ({ source, flags }: { source: string; flags: string }) => `${name} /${source}/${flags}`;
    for (const pattern of all) found.add(written(pattern));
    const left = all.filter((pattern) => !Object.hasOwn(dependencyExceptions, written(pattern)));
    unlisted.push(...(await slowAmong(left, judgingMs)));
  }
  return { count: found.size, found, unlisted };
}
