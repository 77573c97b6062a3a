import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importsFrom, modules, pagesWithCode, programOf, root } from "../published/packed.ts";
import { preambles } from "./preambles.ts";

/** Pages whose code uses no package that others install: those are checked in tests/published, from outside. */
const pages = (await pagesWithCode()).filter(
  ({ text }) => !importsFrom(text, "client") && !importsFrom(text, "transcoder"),
);

let directory: string;
/** What the compiler says, by page. */
const faults = new Map<string, string[]>();

/** Writes the code of each page as a program in a project that finds the packages, and compiles all of them at once. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "typescript-blocks-"));
  await symlink(modules, join(directory, "node_modules"));
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  for (const { path, text } of pages) {
    const file = join(directory, path.replace(/md$/, "ts"));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, programOf(text, preambles[path]));
  }
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false };
  const project = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions,
    include: ["**/*.ts", join(root, "packages/*/src/**/*.d.ts")],
  };
  await writeFile(join(directory, "tsconfig.json"), JSON.stringify(project));
  const compiled = promisify(execFile)(join(modules, ".bin/tsc"), ["--project", directory, "--pretty", "false"], {
    cwd: directory,
  });
  const said = await compiled.then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
  // Lines that are indented explain the fault before them.
  for (const line of said.split("\n").filter((each) => /^\S/.test(each))) {
    const [, path = "", fault = ""] = /^(\S+)\.ts(\(.*)$/.exec(line) ?? [];
    const page = pages.find((each) => each.path === `${path}.md`)?.path ?? "no page";
    faults.set(page, [...(faults.get(page) ?? []), fault || line]);
  }
}, 180_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

describe("the TypeScript of the pages", () => {
  it("is on pages to look at, and no preamble is of another page", () => {
    expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(preambles)));
    expect(pages.length).toBeGreaterThan(10);
  });

  it("compiles nothing that is on no page", () => {
    expect(faults.get("no page")).toBeUndefined();
  });

  it.each(pages)("compiles against what is exported: $path", ({ path }) => {
    expect(faults.get(path) ?? []).toEqual([]);
  });
});
