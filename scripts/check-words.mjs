// The sentences of the project are short and plain: words of the list are refused, with what to write instead.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root, runMain, StepError } from "./install.mjs";

const listFile = join("scripts", "forbidden-words.json");
const skippedFolders = new Set(["node_modules", ".git", ".local", ".turbo", "dist", "gen", "third_party", "releases"]);
const skippedFiles = new Set([listFile, "LICENSE", "package-lock.json"]);
const texts = /\.(ts|mjs|js|json|md|yaml|yml|py|proto|sh|html|css)$|^README$/;

const instead = JSON.parse(readFileSync(join(root, listFile), "utf8"));
const forbidden = new RegExp(`\\b(${Object.keys(instead).join("|")})\\b`, "gi");

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) yield* filesIn(path);
    if (entry.isFile() && texts.test(entry.name) && !skippedFiles.has(relative(root, path))) yield path;
  }
}

runMain(async () => {
  const found = [...filesIn(root)].flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, index) =>
        [...line.matchAll(forbidden)].map(
          ([word]) =>
            `${relative(root, path).split(sep).join("/")}:${index + 1}: "${word}": ${instead[word.toLowerCase()]}`,
        ),
      ),
  );
  if (found.length > 0) throw new StepError(found.join("\n"));
});
