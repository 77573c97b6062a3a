import { parsedJson } from "@aiplatform/openai-api";
import { SettingsError } from "@aiplatform/service-host";

/** What an entry of a setting says, by its fields. */
export type Given = ReadonlyMap<string, unknown>;

/** Ids of the organisations that something is open to. */
export type OpenTo = "all" | ReadonlySet<string>;

/** Something of the settings that has a name. */
interface Named {
  readonly name: string;
}

const namePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const maxOrganisations = 10_000;

/** Reads a JSON list of objects, each with a name of its own. @throws Error whose message is one sentence about the first mistake */
export function readEntries<T extends Named>(
  value: unknown,
  { fields, max, what }: { fields: ReadonlySet<string>; max: number; what: string },
  read: (given: Given, where: string) => T,
): T[] {
  if (!Array.isArray(value) || value.length > max) throw new Error(`must be a JSON list of ${max} ${what} at most`);
  const entries = value.map((entry: unknown, index) => {
    const where = `entry ${index}`;
    const given = givenIn(entry, where);
    for (const field of given.keys()) if (!fields.has(field)) throw new Error(`${where} has an unknown field ${field}`);
    return read(given, where);
  });
  if (new Set(entries.map(({ name }) => name)).size < entries.length) throw new Error("has a name twice");
  return entries;
}

function givenIn(entry: unknown, where: string): Given {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    throw new Error(`${where} must be an object`);
  }
  return new Map<string, unknown>(Object.entries(entry));
}

/** @throws Error */
export function nameIn(given: Given, where: string): string {
  const name = given.get("name");
  if (typeof name === "string" && namePattern.test(name)) return name;
  throw new Error(`${where}: name must be 1 to 63 letters from a to z, digits and hyphens`);
}

/** All or some of them have to be named, so that none is open to all by mistake. @throws Error */
export function organisationsIn(given: Given, where: string): OpenTo {
  if (given.get("organisations") === "all") return "all";
  const ids = textsIn(given, "organisations", { where, max: maxOrganisations });
  const bad = ids.find((id) => !idPattern.test(id));
  if (bad === undefined) return new Set(ids);
  throw new Error(`${where}: organisations must be "all" or a list of ids of organisations; ${bad} is not one`);
}

export function isOpenTo(organisations: OpenTo, organisationId: string): boolean {
  return organisations === "all" || organisations.has(organisationId);
}

/** @throws Error */
export function textsIn(given: Given, field: string, { where, max }: { where: string; max: number }): string[] {
  const value = given.get(field);
  const texts = Array.isArray(value)
    ? value.filter((each): each is string => typeof each === "string" && each !== "")
    : [];
  const isWhole = Array.isArray(value) && texts.length === value.length && texts.length > 0 && texts.length <= max;
  if (isWhole && new Set(texts).size === texts.length) return texts;
  throw new Error(`${where}: ${field} must be a list of 1 to ${max} different texts that are not empty`);
}

/** @throws Error */
export function integerIn(given: Given, field: string, { where, max }: { where: string; max: number }): number {
  const value = given.get(field);
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`${where}: ${field} must be a whole number from 1 to ${max}`);
}

/** The `url` of an entry: https or http, and no place for a secret. @throws Error with `such` as an example */
export function urlIn(given: Given, { where, such }: { where: string; such: string }): URL {
  const text = given.get("url");
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (url && isHttp && url.username + url.password + url.search + url.hash === "") return url;
  throw new Error(`${where}: url must be an https or http URL without credentials, such as ${such}`);
}

interface KeySetting<T> {
  /** Name of the setting with the keys, and of the one with the entries. */
  readonly setting: string;
  readonly entriesSetting: string;
  /** What the keys are, for a mistake. */
  readonly what: string;
  /** Undefined: the value is no key. */
  readonly read: (value: unknown) => T | undefined;
}

/**
 * Keys by the names of entries, from a JSON object in a text that is secret.
 * @throws SettingsError with every name that is none, without a key
 */
export function keysIn<T>(
  text: string | undefined,
  entries: readonly Named[],
  { setting, entriesSetting, what, read }: KeySetting<T>,
): ReadonlyMap<string, T> {
  if (text === undefined) return new Map();
  // The parser's own words would quote the text.
  const said = parsedJson(text);
  const members = typeof said === "object" && said !== null && !Array.isArray(said) ? Object.entries(said) : [];
  const keys = members.flatMap(([name, value]): [string, T][] => {
    const key = read(value);
    return key === undefined ? [] : [[name, key]];
  });
  if (members.length === 0 || keys.length < members.length)
    throw new SettingsError([`${setting} must be a JSON object of ${what} by the names of ${entriesSetting}`]);
  const names = new Set(entries.map(({ name }) => name));
  const unknown = keys.filter(([name]) => !names.has(name));
  if (unknown.length > 0)
    throw new SettingsError(unknown.map(([name]) => `${setting} names ${name}, which is not in ${entriesSetting}`));
  return new Map(keys);
}
