// Clients that generators make from the description of a running platform, as the page for API clients says.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type LocalPlatform, runTool, startPlatform, writeShellVariables } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { follow, patternOf, type Step, stepsOf } from "../../documents/followed-page.ts";
import { missingPrograms } from "../../infra/missing-programs.ts";
import type { Json } from "../../mesh/rest.ts";
import { description, operations } from "../description.ts";

const root = join(import.meta.dirname, "../../..");
const page = await readFile(join(root, "docs/start/api-client.md"), "utf8");

/** The blocks of the page's section up to its first generator, and of one generator. */
const [introduction = "", ...generators] = (page.split(/^## From any other language$/m)[1] ?? "").split(/^##+ /m);
const stepsOfGenerator = (name: string) => stepsOf(generators.find((text) => text.startsWith(`${name}\n`)) ?? "");

/** A directory that looks like the repository beside a platform that runs, and where the clients are made. */
let home: string;
let clients: string;
let platform: LocalPlatform;

const absent = missingPrograms("python3", "curl");

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "generated-clients-"));
  clients = join(home, ".local/clients");
  for (const name of ["node_modules", "package.json"]) await symlink(join(root, name), join(home, name));
  await cp(join(root, "examples/generated-clients"), join(home, "examples/generated-clients"), { recursive: true });
  if (absent) return;
  const directory = join(home, ".local");
  platform = await startPlatform({ directory, trainer: false });
  await writeShellVariables(directory, platform.description);
  await followed(stepsOf(introduction), home);
});

afterAll(async () => {
  await platform?.stop();
  await rm(home, { recursive: true, force: true });
});

/** Follows blocks of the page in one shell; answers what each printed. */
async function followed(steps: Step[], cwd: string): Promise<string[]> {
  const { gateway: GATEWAY, api_key: KEY, pipeline_id: PIPELINE, run_id: RUN } = platform.description;
  const bins = [join(home, ".local/generators/bin"), join(root, "node_modules/.bin")];
  const PATH = [...bins, process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH, GATEWAY, KEY, PIPELINE, RUN };
  const { code, errors, outputs } = await follow(steps, { cwd, seconds: 600, env });
  if (code !== 0) throw new Error(`the shell ended with ${code}: ${outputs.join("")}${errors}`);
  return outputs;
}

/** What a checker of types complains of, a line each. */
async function complaints(command: string, args: string[]): Promise<string[]> {
  const inClients = ["-c", 'cd "$0" && "$@"', clients, command, ...args];
  const { ok, stdout, complaint } = await runTool("sh", inClients, 600_000);
  const lines = stdout.split("\n").filter((line) => /\berror\b/.test(line));
  if (!ok && lines.length === 0) throw new Error(complaint);
  return lines;
}

const mypy = (...args: string[]) =>
  // What generators write around their operations is theirs to repair.
  complaints(join(home, ".local/generators/bin/mypy"), ["--strict", "--follow-imports=silent", ...args]);

const streams = [...operations.values()].filter(
  ({ operation, status }) => "text/event-stream" in contentOf(operation, status),
);
const isBytes = (content: Json = {}) =>
  "application/octet-stream" in content || "application/vnd.apache.parquet" in content;
const uploads = [...operations.values()].filter(({ operation }) => isBytes(operation.requestBody?.content));

function contentOf(operation: Json, status: number): Json {
  return operation.responses[status].content;
}

/** What a generator calls answers that are no messages. */
interface AnswerNames {
  text: string;
  bytes: string;
  redirect: string;
  /** An item of a list whose fields the description does not name. */
  openItem: (operationId: string) => string;
}

/** The name that generators give to the type of an operation's answer: `Role`, `Role[]`. */
function answerOf(
  { id, operation, status }: { id: string; operation: Json; status: number },
  { text, bytes, redirect, openItem }: AnswerNames,
): string {
  const content = contentOf(operation, status);
  if (isBytes(content)) return bytes;
  if (status === 303) return redirect;
  const [{ schema }] = Object.values<Json>(content);
  const title = ({ $ref }: Json) => description.components.schemas[$ref.split("/").at(-1)].title;
  if (schema.type === "array") return `${"$ref" in schema.items ? title(schema.items) : openItem(id)}[]`;
  return schema.type === "string" ? text : title(schema);
}

/** Those that are not there for the client of another API, which reads failures and empty answers in its own way. */
const own = [...operations.values()].filter(({ path }) => !path.startsWith("/platform/mlflow/"));

const snakeCase = (id: string) => id.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();

/** Operations as Python sees them, each with the one type of its answer; `more`: what else a generator types. */
function expectedInPython(
  names: Omit<AnswerNames, "text">,
  more: (operation: Json) => string[] = () => [],
): Record<string, string[]> {
  const entries = own.map((described): [string, string[]] => [
    snakeCase(described.id),
    [...more(described.operation), answerOf(described, { text: "str", ...names })],
  ]);
  return Object.fromEntries(entries);
}

async function answersInPython(name: string, PYTHONPATH: string): Promise<Json> {
  const program = join(import.meta.dirname, "answer_types.py");
  const python = join(home, ".local/generators/bin/python");
  const args = ["-c", 'cd "$0" && PYTHONPATH="$1" exec "$2" "$3" "$4"', clients, PYTHONPATH, python, program, name];
  const { ok, stdout, complaint } = await runTool("sh", args, 600_000);
  if (!ok) throw new Error(complaint);
  const ids = new Set(own.map(({ id }) => snakeCase(id)));
  return Object.fromEntries(Object.entries<Json>(JSON.parse(stdout)).filter(([id]) => ids.has(id)));
}

describe(`a client in Python by openapi-python-client${absent}`, () => {
  const [generate, story] = stepsOfGenerator("Python, by openapi-python-client");
  let said = "";
  beforeAll(async () => {
    if (generate && !absent) said = (await followed([generate], clients)).join("");
  });

  it.skipIf(absent)("is made without a warning", () => {
    expect(said).toBe("Generating platform_client\n");
  });

  it.skipIf(absent)("has every operation, with the type of its answer and none for 304", async () => {
    const notModified = ({ responses }: Json) => ("304" in responses ? ["Any"] : []);
    expect(await answersInPython("platform_client", ".")).toEqual(
      expectedInPython(
        { bytes: "str", redirect: "str", openItem: (id) => `${pascalCase(id)}Response200Item` },
        notModified,
      ),
    );
  });

  it.skipIf(absent)("fits its types, but for the functions of streams and of bodies of bytes", async () => {
    const found = await mypy("story_openapi_python_client.py", "platform_client/api", "platform_client/models");
    const places = found.map((line) => /^platform_client\/api\/\w+\/(\w+)\.py:\d+: /.exec(line)?.[1] ?? line);
    expect(places.toSorted()).toEqual([...streams, ...uploads].map(({ id }) => snakeCase(id)).toSorted());
  });

  it.skipIf(absent)("tells its story as the page shows", () => tells(story));
});

describe(`a client in Python by openapi-generator${absent}`, () => {
  const [generate, story] = stepsOfGenerator("Python, by openapi-generator");
  let said = "";
  beforeAll(async () => {
    if (generate && !absent) said = (await followed([generate], clients)).join("");
  });

  it.skipIf(absent)("is made with all that the description has", () => {
    expect(warnings(said)).toEqual([]);
  });

  it.skipIf(absent)("has every operation, with the type of its answer", async () => {
    expect(await answersInPython("platform_api", "openapi_generator")).toEqual(
      expectedInPython({ bytes: "bytes", redirect: "NoneType", openItem: () => "Dict" }),
    );
  });

  it.skipIf(absent)("fits its types", async () => {
    const inClient = ["--config-file", "openapi_generator/pyproject.toml", "openapi_generator/platform_api"];
    expect(await complaints(join(home, ".local/generators/bin/mypy"), inClient)).toEqual([]);
    const environment = ["MYPYPATH=openapi_generator", join(home, ".local/generators/bin/mypy")];
    const strict = ["--strict", "--follow-imports=silent", "story_openapi_generator.py"];
    expect(await complaints("env", [...environment, ...strict])).toEqual([]);
  });

  it.skipIf(absent)("tells its story as the page shows", () => tells(story));
});

describe(`a client in TypeScript by openapi-generator${absent}`, () => {
  const [generate, story] = stepsOfGenerator("TypeScript, by openapi-generator");
  let said = "";
  beforeAll(async () => {
    if (generate && !absent) said = (await followed([generate], clients)).join("");
  });

  it.skipIf(absent)("is made with all that the description has", () => {
    expect(warnings(said)).toEqual([]);
  });

  it.skipIf(absent)("has every operation, with the type of its answer", async () => {
    await writeFile(join(clients, "answers.ts"), answersInTypeScript());
    expect(await complaints(join(root, "node_modules/.bin/tsc"), ["--project", ".", "--noEmit"])).toEqual([]);
  });

  it.skipIf(absent)("is compared so that another type is found", async () => {
    await writeFile(join(clients, "answers.ts"), answersInTypeScript().replace("models.Role>", "models.Member>"));
    const found = await complaints(join(root, "node_modules/.bin/tsc"), ["--project", ".", "--noEmit"]);
    expect(found).toEqual([expect.stringMatching(/^answers\.ts.*'true' is not assignable to type 'false'/)]);
    await rm(join(clients, "answers.ts"));
  });

  it.skipIf(absent)("tells its story as the page shows", () => tells(story));
});

/** Follows the program of a generator, and compares what it prints with what is shown. */
async function tells(story: Step | undefined): Promise<void> {
  const [printed = ""] = story ? await followed([story], clients) : [];
  expect(printed.trim()).toMatch(patternOf(story?.shown?.trim() ?? "nothing is shown"));
}

/** What openapi-generator says of every description, or of names and values that it takes all the same. */
const harmless = [
  /OpenAPI 3\.1 support is still in beta/,
  /Failed to get the schema name: null/,
  /model name matches existing language type\) cannot be used as a model name\. Renamed to ModelError/,
  /Codegen property is null \(e\.g\. map\/dict of undefined type\)\. Default to typing\.Any/,
];

function warnings(said: string): string[] {
  const lines = said.split("\n").filter((line) => /\b(?:WARN|ERROR)\b/.test(line));
  // It tells what it writes: a generator that said nothing was not heard.
  if (!said.includes("writing file")) lines.unshift("it did not say what it writes");
  return lines.filter((line) => !harmless.some((pattern) => pattern.test(line)));
}

/** What the generator for TypeScript makes of an object whose fields the description does not name. */
const openItem = "{ [key: string]: any | null; }";

/** A line for each operation that compiles if its answer has the type that the description names, and no other. */
function answersInTypeScript(): string {
  const lines = own.map((described) => {
    const { id, operation } = described;
    const api = `${pascalCase(operation.tags[0])}Api`;
    const names = { text: "string", bytes: "runtime.HttpFile", redirect: "void" };
    const answer = answerOf(described, { ...names, openItem: () => openItem });
    const isModel = !Object.values(names).includes(answer) && !answer.startsWith(openItem);
    const type = isModel ? `models.${answer}` : answer;
    return `export const ${id}: Same<Awaited<ReturnType<apis.${api}["${id}"]>>, ${type}> = true;`;
  });
  return `import type * as apis from "./typescript_fetch/apis/index.js";
import type * as models from "./typescript_fetch/models/index.js";
import type * as runtime from "./typescript_fetch/runtime.js";
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
${lines.join("\n")}
`;
}

function pascalCase(tag: string): string {
  return tag.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
