import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const folders = ["apps", "packages", "services", "proto", "third_party", "scripts", "docs", "examples", "k8s"];
const files = ["README.md", "package.json", "package-lock.json", "buf.yaml", "buf.gen.yaml", "tsconfig.base.json"];
const leftOut = new Set(["node_modules", "dist", ".local"]);

/** A copy of the repository that uses the installed packages of this one, but its own sources. */
export interface CopiedRepository extends AsyncDisposable {
  readonly directory: string;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Path → text of all files in a folder. */
  readAll(folder: string): Promise<Map<string, string>>;
}

export async function copyRepository(): Promise<CopiedRepository> {
  const directory = await mkdtemp(join(tmpdir(), "synthetic-operation-"));
  const filter = (source: string) => !leftOut.has(basename(source));
  await Promise.all([
    ...folders.map((folder) => cp(join(root, folder), join(directory, folder), { recursive: true, filter })),
    ...files.map((file) => cp(join(root, file), join(directory, file))),
  ]);
  await linkPackages(directory);
  return {
    directory,
    async write(path, text) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    },
    read: (path) => readFile(join(directory, path), "utf8"),
    async readAll(folder) {
      const entries = await readdir(join(directory, folder), { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const)));
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Installed packages are those of this repository; its own are those of the copy. */
async function linkPackages(directory: string): Promise<void> {
  const modules = join(root, "node_modules");
  await mkdir(join(directory, "node_modules/@aiplatform"), { recursive: true });
  const installed = (await readdir(modules)).filter((name) => name !== "@aiplatform");
  await Promise.all(installed.map((name) => symlink(join(modules, name), join(directory, "node_modules", name))));
  for (const kind of ["apps", "packages", "services", "examples"]) {
    for (const name of await readdir(join(root, kind))) {
      const manifest = await readFile(join(root, kind, name, "package.json"), "utf8").catch(() => undefined);
      if (manifest === undefined) continue;
      await symlink(join(directory, kind, name), join(directory, "node_modules", JSON.parse(manifest).name));
      await linkOwnModules(kind, name, directory);
    }
  }
  // Where programs are that only the tests need.
  await mkdir(join(directory, "tests"));
  await cp(join(root, "tests/package.json"), join(directory, "tests/package.json"));
}

async function linkOwnModules(kind: string, name: string, directory: string): Promise<void> {
  const own = join(root, kind, name, "node_modules");
  const isThere = await readdir(own).catch(() => undefined);
  if (isThere !== undefined) await symlink(own, join(directory, kind, name, "node_modules"));
}
