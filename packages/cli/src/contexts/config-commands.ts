import { readFileSync } from "node:fs";
import { Command } from "commander";
import { UsageError } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import type { ConnectionOptions } from "./connection.ts";
import { type Contexts, contextFile, contextOf, readContexts, writeContexts } from "./context-file.ts";

export interface ConfigParts {
  invocation: Pick<Invocation, "env" | "stderr" | "stdin">;
  options: () => ConnectionOptions;
  print: (value: unknown) => void;
  confirmed: (what: string) => Promise<void>;
}

/** `config set-context|use-context|get-contexts|delete-context`. */
export function configCommand(parts: ConfigParts): Command {
  const { env, stderr } = parts.invocation;
  const config = new Command("config")
    .summary("named platforms: contexts")
    .description(`Contexts name a platform and keep its credential, in a file that only its owner may read:
$XDG_CONFIG_HOME/platformctl/contexts.json, ~/.config/platformctl/contexts.json otherwise.`);
  config
    .command("set-context")
    .summary("make or change a context: its --url, and its credential from --api-key-file (- is standard input)")
    .argument("<name>", "name of the context")
    .action(async (name: string) => {
      const before = readContexts(env);
      writeContexts(env, withContext(before, name, await given(parts, before, name)));
      stderr(`context ${name} is in ${contextFile(env)}\n`);
    });
  config
    .command("use-context")
    .summary("use a context where none is named")
    .argument("<name>", "name of the context")
    .action((name: string) => {
      const contexts = readContexts(env);
      contextOf(contexts, name);
      writeContexts(env, { ...contexts, current: name });
      stderr(`${name} is the current context\n`);
    });
  config
    .command("get-contexts")
    .summary("list the contexts; of credentials only whether there is one")
    .action(() => {
      const { current, contexts } = readContexts(env);
      const shown = Object.entries(contexts).map(([name, { url, credential }]) => ({
        current: name === current,
        name,
        url,
        credential: credential ? "kept" : "none",
      }));
      parts.print(shown);
    });
  config
    .command("delete-context")
    .summary("forget a context and its credential")
    .argument("<name>", "name of the context")
    .action(async (name: string) => {
      contextOf(readContexts(env), name);
      await parts.confirmed(`forget context ${name} and its credential`);
      const { current, contexts } = readContexts(env);
      const { [name]: _, ...kept } = contexts;
      writeContexts(env, { ...(current !== undefined && current !== name && { current }), contexts: kept });
      stderr(`context ${name} is forgotten\n`);
    });
  return config;
}

/** The contexts with one more, or another; the first is the current one. */
export function withContext(
  { current, contexts }: Contexts,
  name: string,
  context: Contexts["contexts"][string],
): Contexts {
  return { current: current ?? name, contexts: { ...contexts, [name]: context } };
}

async function given({ options, invocation }: ConfigParts, before: Contexts, name: string) {
  const { url, apiKeyFile } = options();
  const former = Object.hasOwn(before.contexts, name) ? before.contexts[name] : undefined;
  const place = url ?? former?.url;
  if (place === undefined || !/^https?:$/.test(URL.parse(place)?.protocol ?? ""))
    throw new UsageError("--url says where the context's gateway is, such as https://platform.example");
  // A credential belongs to its server: another server does not inherit it.
  const same = former !== undefined && new URL(former.url).origin === new URL(place).origin;
  const text =
    apiKeyFile === undefined
      ? undefined
      : apiKeyFile === "-"
        ? await invocation.stdin.read()
        : readFileSync(apiKeyFile, "utf8");
  const credential = text === undefined ? same && former.credential : text.trim();
  return { url: place, ...(credential && { credential }) };
}
