// Derives from proto/ what is committed beside it: messages, comments, the OpenAPI document, the tables of READMEs. `--check` compares.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { contractExamples } from "./generate/contract-examples.ts";
import { writeContractIndexes } from "./generate/contract-indexes.ts";
import { commentsBySymbol } from "./generate/proto-comments.ts";
import { capture, root, runMain, StepError, toolEnvironment } from "./install.mjs";

const messages = join("packages", "contract", "gen");

async function buf(...args: string[]): Promise<string> {
  const { code, output } = await capture(["buf", args], { env: toolEnvironment() });
  if (code !== 0) throw new StepError(`buf ${args[0]} failed:\n${output.trim()}`);
  return output;
}

/** Writes the messages and what is read with them below `target`. */
async function generateInto(target: string): Promise<void> {
  await buf("generate", "--output", target);
  writeContractIndexes(join(target, messages));
  const comments = commentsBySymbol(JSON.parse(await buf("build", "--output", "-#format=json")));
  const write = (name: string, value: unknown) =>
    writeFileSync(join(target, messages, name), `${JSON.stringify(value, undefined, 1)}\n`);
  write("comments.json", comments);
  write("examples.json", contractExamples());
}

/** What is made from the messages. It imports them, so it is imported itself only when they are written. */
async function* documents() {
  const module = await import("./generate/documents.ts");
  yield* module.documents();
}

/** Path → text of the files in a folder, by their path below `base`. */
function contentsBelow(base: string, folder: string): Map<string, string> {
  const start = join(base, folder);
  if (!existsSync(start)) return new Map();
  const entries = readdirSync(start, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(base.length + 1), readFileSync(path, "utf8")]));
}

async function differences(): Promise<string[]> {
  const fresh = mkdtempSync(join(tmpdir(), "generated-"));
  try {
    await generateInto(fresh);
    const expected = contentsBelow(fresh, messages);
    const found = contentsBelow(root, messages);
    for await (const [path, text] of documents()) {
      expected.set(path, text);
      if (existsSync(join(root, path))) found.set(path, readFileSync(join(root, path), "utf8"));
    }
    const names = new Set([...expected.keys(), ...found.keys()]);
    return [...names].filter((name) => expected.get(name) !== found.get(name)).sort();
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

runMain(async () => {
  if (process.argv.includes("--check")) {
    const stale = await differences();
    if (stale.length > 0) throw new StepError(`out of date, run npm run generate: ${stale.join(", ")}`);
    return;
  }
  await generateInto(root);
  for await (const [path, text] of documents()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
