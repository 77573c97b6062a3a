// The packages that others install, as they get them.
import { execFile } from "node:child_process";
import { cp, glob, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
export const root = join(import.meta.dirname, "../..");
export const modules = join(root, "node_modules");

/** The project's public address, if it has one. */
export const projectAddress: string | undefined = JSON.parse(
  await readFile(join(root, "package.json"), "utf8"),
).repository;

/** The addresses in a manifest. */
export function addressesOf({ repository, homepage, bugs }: Record<string, unknown>) {
  return JSON.parse(JSON.stringify({ repository, homepage, bugs }));
}

/** A package that was made, packed and unpacked. */
export interface PackedPackage {
  readonly tarball: string;
  /** Where it was unpacked. */
  readonly folder: string;
}

/** Makes and packs a package of packages/ below `directory`, and unpacks it into `folder`. */
export async function packed(name: string, directory: string, folder = join(directory, name)): Promise<PackedPackage> {
  const made = join(directory, `${name}-made`);
  await run(process.execPath, [join(root, `scripts/package-${name}.ts`), "--out", made]);
  const pack = ["pack", made, "--pack-destination", directory, "--offline", "--json"];
  const { stdout } = await run("npm", pack, { cwd: directory });
  const [, file = ""] = /"filename": "([^"]+)"/.exec(stdout) ?? [];
  const tarball = join(directory, file.replace(/^@/, "").replace("/", "-"));
  await mkdir(folder, { recursive: true });
  await run("tar", ["xzf", tarball, "-C", folder, "--strip-components=1"]);
  return { tarball, folder };
}

/**
 * Gives an unpacked package the dependencies that its manifest declares, and each of them its own. Copies that lie in one another: a
 * link would be followed to the modules of the repository, where everything is found.
 */
export async function installDependencies(folder: string): Promise<void> {
  const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  for (const name of Object.keys(dependencies)) {
    const place = join(folder, "node_modules", name);
    await cp(join(modules, name), place, { recursive: true });
    await installDependencies(place);
  }
}

/** What publint and attw find wrong with a tarball. A process of its own: with vitest's conditions attw resolves to its sources. */
export async function faultsOf(tarball: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "tarball-faults.ts"), tarball]);
  return JSON.parse(stdout);
}

/** The TypeScript of a page. */
export function blocksOf(page: string): string[] {
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
}

/** A page that shows TypeScript. */
export interface PageWithCode {
  readonly path: string;
  readonly text: string;
}

/** Pages that show TypeScript. Not the reports of APIs, which are made from what was compiled. */
export async function pagesWithCode(): Promise<PageWithCode[]> {
  const exclude = (path: string) => /(^|\/)(node_modules|third_party|dist|\.local|api\.md)(\/|$)/.test(path);
  const paths = (await Array.fromAsync(glob("**/*.md", { cwd: root, exclude }))).sort();
  const pages = await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(root, path), "utf8") })),
  );
  return pages.filter(({ text }) => blocksOf(text).length > 0);
}

/** Whether a page's code imports a package. */
export function importsFrom(page: string, name: string): boolean {
  return blocksOf(page).some((code) => new RegExp(`"@aiplatform/${name}["/]`).test(code));
}

/** The blocks of a page as one program: what they go on with stands before them. */
export function programOf(page: string, preamble = ""): string {
  return `${preamble}\n${blocksOf(page).join("")}\nexport {};\n`;
}
