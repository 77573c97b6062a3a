// Sentences are short and plain, and names are those of the field: what is on the list is refused, with what to write instead.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root, runMain, StepError } from "./install.mjs";
import { wordRules } from "./word-rules.ts";

const listFile = join("scripts", "forbidden-words.json");
const skippedFolders = new Set(["node_modules", ".git", ".local", "dist", "gen", "third_party", "releases"]);
const skippedFiles = new Set([listFile, "LICENSE", "package-lock.json"]);
const texts = /\.(ts|mjs|js|json|md|yaml|yml|py|proto|sh|html|css)$|^README$/;
const code = /\.(ts|mjs)$/;

const { inText, inCode, inPath } = wordRules(JSON.parse(readFileSync(join(root, listFile), "utf8")));

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) yield* filesIn(path);
    if (entry.isFile() && texts.test(entry.name) && !skippedFiles.has(relative(root, path))) yield path;
  }
}

function* foundIn(path: string): Generator<string> {
  const place = relative(root, path).split(sep).join("/");
  for (const { text, instead } of inPath(place)) yield `${place}: the name "${text}": ${instead}`;
  const checks = code.test(path) ? [inText, inCode] : [inText];
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    for (const check of checks) {
      for (const { text, instead } of check(line)) yield `${place}:${index + 1}: "${text}": ${instead}`;
    }
  }
}

runMain(async () => {
  const found = [...filesIn(root)].flatMap((path) => [...foundIn(path)]);
  if (found.length > 0) throw new StepError(found.join("\n"));
});
