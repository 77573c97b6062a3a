// Derives from proto/ what is committed beside it: messages, comments, the OpenAPI document, the tables of READMEs. `--check` compares.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clientContract } from "./client-contract.mjs";
import { assertExamples, contractExamples } from "./contract-examples.mjs";
import { writeContractIndexes } from "./contract-indexes.mjs";
import { pagesWithContractTables } from "./contract-tables.mjs";
import { errorPage } from "./errors/error-page.mjs";
import { install, root, run, runMain, StepError, sourceNode, toolEnvironment } from "./install.mjs";
import { pageWithMetrics } from "./metrics-tables.mjs";
import { commentsBySymbol } from "./proto-comments.mjs";
import { referencePages } from "./reference-pages.mjs";
import { readmesWithSettings } from "./settings-tables.mjs";

const messages = join("packages", "contract", "gen");
const comments = join(messages, "comments.json");
const openApi = join("docs", "openapi.json");
const examples = join(messages, "examples.json");
const apiDescription = JSON.stringify(join(root, "services", "gateway", "src", "docs", "api-description.ts"));
const openApiProgram = `
import { openApiDocument } from ${apiDescription};
console.log(JSON.stringify(openApiDocument(), undefined, 2));`;
const commandLine = join("docs", "command-line.md");
const commandLineProgram = `
import { referencePage } from ${JSON.stringify(join(root, "packages", "cli", "src", "index.ts"))};
process.stdout.write(referencePage());`;
const operationIdsProgram = `
import { operationIds } from ${apiDescription};
console.log(JSON.stringify(operationIds()));`;

async function output(command, args) {
  const { code, output } = await run(command, args, { capture: true, env: toolEnvironment() });
  if (code !== 0) throw new StepError(`${command} ${args[0]} failed:\n${output.trim()}`);
  return output;
}

/** Writes everything below `target`. */
async function generateInto(target) {
  await output("buf", ["generate", "--output", target]);
  writeContractIndexes(join(target, messages));
  const image = JSON.parse(await output("buf", ["build", "--output", "-#format=json"]));
  writeFileSync(join(target, comments), `${JSON.stringify(commentsBySymbol(image), undefined, 1)}\n`);
  writeFileSync(join(target, examples), `${JSON.stringify(contractExamples(), undefined, 1)}\n`);
}

/** Runs a program in which our own sources can be imported, and returns what it prints. */
const evaluate = (program) =>
  output(sourceNode(), ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program]);

/** Path and text of what is made from the committed messages; each may be made from those before it. */
async function* documents() {
  const description = await evaluate(openApiProgram);
  assertExamples(JSON.parse(description), contractExamples(), JSON.parse(await evaluate(operationIdsProgram)));
  yield [openApi, description];
  yield* await clientContract(JSON.parse(description));
  yield [commandLine, await evaluate(commandLineProgram)];
  yield* await referencePages(evaluate);
  yield* await pagesWithContractTables(evaluate);
  yield* await readmesWithSettings(evaluate);
  yield await pageWithMetrics(evaluate);
  yield await errorPage(evaluate);
}

function filesBelow(folder) {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
}

function contentsBelow(base, folder) {
  const start = join(base, folder);
  const paths = filesBelow(start).map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(base.length + 1), readFileSync(path, "utf8")]));
}

async function differences() {
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
  await install();
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
