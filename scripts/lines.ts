// Prints the lines without blanks of each workspace: hand-written sources, and tests.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const isSource = (path: string) => /\.(tsx?|mjs)$/.test(path) && !/(^|\/)(node_modules|dist|gen)\//.test(path);

function linesIn(folder: string, isCounted: (path: string) => boolean): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => isSource(path) && isCounted(path))
    .flatMap((path) => readFileSync(join(folder, path), "utf8").split("\n"))
    .filter((line) => line.trim() !== "").length;
}

const isTest = (path: string) => /^(tests|bench)\/|\.test\.ts$/.test(path);
const rows = ["services", "packages", "examples"].flatMap((kind) =>
  readdirSync(join(root, kind)).map((name) => {
    const folder = join(root, kind, name);
    return {
      name: `${kind}/${name}`,
      source: linesIn(folder, (path) => !isTest(path)),
      tests: linesIn(folder, isTest),
    };
  }),
);
rows.push({ name: "tests", source: 0, tests: linesIn(join(root, "tests"), () => true) });
rows.push({ name: "scripts", source: linesIn(join(root, "scripts"), (path) => !isTest(path)), tests: 0 });
const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
rows.push({ name: "all", source: sum(({ source }) => source), tests: sum(({ tests }) => tests) });
const text = rows.map(({ name, source, tests }) => `| ${name} | ${source} | ${tests} |`).join("\n");
process.stdout.write(`| workspace | source | tests |\n| --- | ---: | ---: |\n${text}\n`);
