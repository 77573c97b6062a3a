import { readFileSync } from "node:fs";
import type { Setting } from "./setting.ts";

// biome-ignore lint/suspicious/noExplicitAny: a declaration holds settings of every type, which no other bound admits
export type Settings = Readonly<Record<string, Setting<any>>>;

/** The values of a declaration, by name. */
export type SettingsValues<S extends Settings> = { readonly [N in keyof S]: S[N] extends Setting<infer T> ? T : never };

/** Every mistake in the environment at once, so that one restart repairs them all. */
export class SettingsError extends Error {
  override name = "SettingsError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `${problems.length === 1 ? "a setting is" : `${problems.length} settings are`} wrong: ${problems.join("; ")}`,
    );
    this.problems = problems;
  }
}

/** Names a declaration of settings; each is written once, here and nowhere else. */
export function defineSettings<const S extends Settings>(settings: S): S {
  return settings;
}

/** Reads all settings; an empty text counts as not set. @throws SettingsError listing every mistake. */
export function readSettings<S extends Settings>(
  settings: S,
  env: Readonly<Record<string, string | undefined>>,
): SettingsValues<S> {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([name, setting]) => {
    try {
      return [name, readOne(name, setting, env)];
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.fromEntries(values);
}

function readOne<T>(
  name: string,
  setting: Setting<T>,
  env: Readonly<Record<string, string | undefined>>,
): T | undefined {
  const text = setting.secret ? secretText(name, env) : env[name];
  if (text !== undefined && text !== "") return setting.parse(text);
  if (setting.default === undefined && !setting.optional) {
    throw new Error(`is not set (${setting.kind}): ${setting.description}`);
  }
  return setting.default;
}

function secretText(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const text = env[name];
  const file = env[`${name}_FILE`];
  if (!file) return text;
  if (text) throw new Error(`is set twice, also by ${name}_FILE`);
  try {
    return readFileSync(file, "utf8").trimEnd();
  } catch (error) {
    const code = typeof error === "object" && error && "code" in error ? String(error.code) : "unreadable";
    throw new Error(`cannot be read from the file ${file} that ${name}_FILE names (${code})`);
  }
}
