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
  { fields, most, what }: { fields: ReadonlySet<string>; most: number; what: string },
  read: (given: Given, where: string) => T,
): T[] {
  if (!Array.isArray(value) || value.length > most) throw new Error(`must be a JSON list of ${most} ${what} at most`);
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
  const ids = textsIn(given, "organisations", { where, most: maxOrganisations });
  const bad = ids.find((id) => !idPattern.test(id));
  if (bad === undefined) return new Set(ids);
  throw new Error(`${where}: organisations must be "all" or a list of ids of organisations; ${bad} is not one`);
}

export function isOpenTo(organisations: OpenTo, organisationId: string): boolean {
  return organisations === "all" || organisations.has(organisationId);
}

/** @throws Error */
export function textsIn(given: Given, field: string, { where, most }: { where: string; most: number }): string[] {
  const value = given.get(field);
  const texts = Array.isArray(value)
    ? value.filter((each): each is string => typeof each === "string" && each !== "")
    : [];
  const isWhole = Array.isArray(value) && texts.length === value.length && texts.length > 0 && texts.length <= most;
  if (isWhole && new Set(texts).size === texts.length) return texts;
  throw new Error(`${where}: ${field} must be a list of 1 to ${most} different texts that are not empty`);
}

/** @throws Error */
export function integerIn(given: Given, field: string, { where, max }: { where: string; max: number }): number {
  const value = given.get(field);
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`${where}: ${field} must be a whole number from 1 to ${max}`);
}

/** Members of a JSON object in a text that holds secrets; none where it is no such text. */
export function secretEntries(text: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  } catch {
    // The parser's own words quote the text.
    return [];
  }
}
