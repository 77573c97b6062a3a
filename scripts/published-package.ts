// What the packages that others install have in common.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./install.mjs";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly keywords: readonly string[];
  readonly sideEffects?: boolean;
  readonly publishConfig: object;
}

interface RootManifest {
  /** Web address of the project, `https://host/owner/name`. */
  readonly repository?: string;
}

/** A package that is being made. */
export interface PublishedPackage {
  /** Folder of its sources. */
  readonly folder: string;
  /** Folder it is made in, empty at first: `--out`, or its own dist/. */
  readonly out: string;
  readonly manifest: Manifest;
  /** Compiles the sources to JavaScript with types. */
  compile(): void;
  /** Completes it: its manifest with these fields added, its README, changelog and API report, and the licence. */
  finish(fields: object): void;
}

/** Begins the package of a folder below packages/. */
export function publishedPackage(folderName: string): PublishedPackage {
  const folder = join(root, "packages", folderName);
  const { out } = parseArgs({ options: { out: { type: "string", default: join(folder, "dist") } } }).values;
  rmSync(out, { recursive: true, force: true });
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return {
    folder,
    out,
    manifest,
    compile() {
      const tsc = join(root, "node_modules", ".bin", "tsc");
      const args = ["--project", join(folder, "tsconfig.published.json"), "--outDir", out];
      execFileSync(tsc, args, { stdio: "inherit" });
    },
    finish(fields) {
      // Not `private`, which keeps the sources from being published as they are, nor what the sources alone need.
      const { name, version, description, keywords, license, type, sideEffects, engines, publishConfig } = manifest;
      const own = { name, version, description, keywords, license, type, sideEffects, engines, publishConfig };
      const { repository }: RootManifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
      const published = { ...own, ...publicAddresses(folderName, repository), ...fields };
      writeFileSync(join(out, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
      for (const page of ["README.md", "CHANGELOG.md", "api.md"])
        if (existsSync(join(folder, page))) cpSync(join(folder, page), join(out, page));
      cpSync(join(root, "LICENSE"), join(out, "LICENSE"));
      process.stdout.write(`${name}: ${out}\n`);
    },
  };
}

/** What a manifest says of where the project is; nothing while the project has no public address. */
export function publicAddresses(folder: string, repository?: string) {
  if (repository === undefined) return {};
  return {
    repository: { type: "git", url: `git+${repository}.git`, directory: `packages/${folder}` },
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
  };
}

/** Where importers find what `compile` made. */
export const compiledEntry = { ".": compiled("index") };

/** Types and JavaScript of a module of src/. */
export function compiled(module: string) {
  return { types: `./src/${module}.d.ts`, default: `./src/${module}.js` };
}
