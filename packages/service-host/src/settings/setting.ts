/** One setting: how its text is read, and what the operator is told about it. */
export interface Setting<T> {
  readonly kind: string;
  /** One sentence for the operator. */
  readonly description: string;
  /** Used where nothing is set; absent for what must be set and for what may stay unset. */
  readonly default?: T;
  /** May stay unset, and is `undefined` then. */
  readonly optional: boolean;
  /** Never printed, and readable from the file that `<NAME>_FILE` names. */
  readonly secret: boolean;
  /** @throws Error whose message completes "<NAME> …". */
  parse(text: string): T;
}

interface Spec<T> {
  readonly description: string;
  readonly default?: T;
  readonly optional?: true;
}

type ValueOf<S, T> = S extends { readonly optional: true } ? T | undefined : T;

function define<T, S extends Spec<T>>(
  kind: string,
  spec: S,
  parse: (text: string) => T,
  secret = false,
): Setting<ValueOf<S, T>> {
  const byDefault = spec.default === undefined ? {} : { default: spec.default };
  return {
    kind,
    description: spec.description,
    ...byDefault,
    optional: spec.optional ?? false,
    secret,
    parse,
  } as Setting<ValueOf<S, T>>;
}

interface TextSpec extends Spec<string> {
  readonly minLength?: number;
  readonly oneOf?: readonly string[];
  /** Looks at the text. @throws Error whose message completes "<NAME> …", without a secret. */
  readonly check?: (text: string) => void;
}

interface IntegerSpec extends Spec<number> {
  readonly min?: number;
  readonly max?: number;
}

interface ListSpec extends Spec<readonly string[]> {
  /** Looks at one item. @throws Error whose message completes "<NAME> …". */
  readonly check?: (item: string) => void;
}

interface UrlSpec extends Spec<string> {
  /** It is an http or https URL of exactly this path, without credentials, query and fragment. Default: any URL. */
  readonly path?: string;
  /** Looks at what is a URL. @throws Error whose message completes "<NAME> …". */
  readonly check?: (url: URL) => void;
}

interface JsonSpec<T> extends Spec<T> {
  /** Turns the parsed JSON into the value. @throws Error whose message completes "<NAME> …". */
  readonly parse: (value: unknown) => T;
}

/** The kinds of settings. Each reads text strictly: junk is a mistake, never a default. */
export const setting = {
  text: <S extends TextSpec>(spec: S) => define("text", spec, (text) => readText(text, spec)),
  /** Also read from the file named by `<NAME>_FILE`; has no default, so that none is ever used by accident. */
  secretText: <S extends Omit<TextSpec, "default">>(spec: S) =>
    define<string, S>("secret", spec, (text) => readText(text, spec), true),
  integer: <S extends IntegerSpec>(spec: S) => define("integer", spec, (text) => readInteger(text, spec)),
  /** 0 to 1. */
  ratio: <S extends Spec<number>>(spec: S) => define("ratio", spec, readRatio),
  /** A TCP port; 0 takes any that is free. */
  port: <S extends Spec<number>>(spec: S) => define("port", spec, (text) => readInteger(text, { min: 0, max: 65_535 })),
  /** Milliseconds. */
  duration: <S extends IntegerSpec>(spec: S) =>
    define("milliseconds", spec, (text) => readInteger(text, { min: 0, ...spec })),
  url: <S extends UrlSpec>(spec: S) => define("URL", spec, (text) => readUrl(text, spec)),
  /** Separated by commas. */
  list: <S extends ListSpec>(spec: S) =>
    define<string[], S & Spec<string[]>>("list", spec as S & Spec<string[]>, (text) => readList(text, spec)),
  json: <T, S extends JsonSpec<T>>(spec: S & JsonSpec<T>) =>
    define<T, S>("JSON", spec, (text) => spec.parse(readJson(text))),
  flag: <S extends Spec<boolean>>(spec: S) => define("flag", spec, readFlag),
} as const;

function readText(text: string, { minLength = 1, oneOf, check }: Pick<TextSpec, "minLength" | "oneOf" | "check">) {
  if (text.length < minLength) throw new Error(`must have at least ${minLength} characters`);
  if (oneOf && !oneOf.includes(text)) throw new Error(`must be one of ${oneOf.join(", ")}`);
  check?.(text);
  return text;
}

function readInteger(
  text: string,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: Pick<IntegerSpec, "min" | "max">,
): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new Error("must be a whole number");
  if (value < min || value > max) throw new Error(`must be between ${min} and ${max}`);
  return value;
}

function readRatio(text: string): number {
  const value = /^\d(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw new Error("must be between 0 and 1, such as 0.05");
  return value;
}

function readUrl(text: string, { path, check }: Pick<UrlSpec, "path" | "check">): string {
  if (!URL.canParse(text)) throw new Error("must be a URL");
  const url = new URL(text);
  if (path !== undefined) assertPath(url, path);
  check?.(url);
  return text;
}

function assertPath({ protocol, pathname, username, password, search, hash }: URL, path: string): void {
  const isPlain = username + password + search + hash === "";
  const isHttp = protocol === "http:" || protocol === "https:";
  if (isHttp && isPlain && (pathname === path || pathname === `${path}/`)) return;
  throw new Error(`must be an http or https URL whose path is ${path}, such as https://host.example${path}`);
}

function readList(text: string, { check }: Pick<ListSpec, "check">): string[] {
  const items = text.split(",").map((item) => item.trim());
  if (items.some((item) => item === "")) throw new Error("must not have an empty item");
  for (const item of items) check?.(item);
  return items;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("must be JSON");
  }
}

function readFlag(text: string): boolean {
  if (text !== "true" && text !== "false") throw new Error("must be true or false");
  return text === "true";
}
