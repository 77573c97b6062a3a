// Sentences are short and plain, and names are those of the field: what is on the list is refused, with what to write instead.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root, runMain, StepError } from "./install.mjs";

const listFile = join("scripts", "forbidden-words.json");
const skippedFolders = new Set(["node_modules", ".git", ".local", "dist", "gen", "third_party", "releases"]);
const skippedFiles = new Set([listFile, "LICENSE", "package-lock.json"]);
const texts = /\.(ts|mjs|js|json|md|yaml|yml|py|proto|sh|html|css)$|^README$/;
const code = /\.(ts|mjs)$/;

/** Pattern → what to write instead. */
type WordList = Readonly<Record<string, string>>;

const { words, identifiers }: { words: WordList; identifiers: WordList } = JSON.parse(
  readFileSync(join(root, listFile), "utf8"),
);

interface Rules {
  readonly anywhere: RegExp;
  insteadOf(text: string): string;
}

/** A list as one pattern, and what to write instead of a text that it finds. */
function rules(list: WordList, flags: string): Rules {
  const patterns = Object.entries(list).map(([pattern, instead]) => ({
    pattern: new RegExp(`^(${pattern})$`, flags),
    instead,
  }));
  return {
    anywhere: new RegExp(`(?<![\\w#])(${Object.keys(list).join("|")})(?!\\w)`, `g${flags}`),
    insteadOf: (text) => patterns.find(({ pattern }) => pattern.test(text))?.instead ?? "",
  };
}

const inTexts = rules(words, "i");
const inCode = rules(identifiers, "");

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) yield* filesIn(path);
    if (entry.isFile() && texts.test(entry.name) && !skippedFiles.has(relative(root, path))) yield path;
  }
}

function* foundIn(path: string): Generator<string> {
  const place = relative(root, path).split(sep).join("/");
  const checks = code.test(path) ? [inTexts, inCode] : [inTexts];
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    for (const { anywhere, insteadOf } of checks) {
      for (const [text] of line.matchAll(anywhere)) yield `${place}:${index + 1}: "${text}": ${insteadOf(text)}`;
    }
  }
}

runMain(async () => {
  const found = [...filesIn(root)].flatMap((path) => [...foundIn(path)]);
  if (found.length > 0) throw new StepError(found.join("\n"));
});
