import { anyJson, anyText, damagedText, quoted, uuidLike } from "./damaged-values.ts";
import type { Dice } from "./dice.ts";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

/** What a good request to an operation looks like. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** `{x}` is a text, `{x:uuid}` a uuid. */
  readonly path: string;
  /** Names of query parameters, with a good value. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Something between a good request and none. */
export function damagedRequest(dice: Dice, operation: Operation): WireRequest {
  const target = pathOf(dice, operation.path) + queryOf(dice, operation.query);
  const body = encoded(dice, operation.body === undefined ? "" : bodyOf(dice, operation.body));
  return { method: operation.method, target, contentType: contentTypeOf(dice), body };
}

function pathOf(dice: Dice, path: string): string {
  return path.replaceAll(/\{\w+(:uuid)?\}/g, (_name, isUuid) => {
    const text =
      isUuid && dice.chance(0.8)
        ? dice.chance(0.7)
          ? "3fa85f64-5717-4562-b3fc-2c963f66afa6"
          : uuidLike(dice)
        : anyText(dice);
    // A slash would be another path, and a segment of dots is another path for many a client.
    const segment = text.replaceAll("/", "_");
    return /^\.*$/.test(segment) ? "x" : percent(dice, segment);
  });
}

function percent(dice: Dice, text: string): string {
  if (dice.chance(0.02)) return `${encodeURIComponent(text)}%ff%zz%`;
  return encodeURIComponent(text);
}

function queryOf(dice: Dice, query: Readonly<Record<string, string>>): string {
  const pairs: string[] = [];
  for (const [name, good] of Object.entries(query)) {
    if (dice.chance(0.55)) continue;
    for (let left = dice.chance(0.2) ? 2 : 1; left > 0; left--) {
      const value = dice.chance(0.3) ? good : anyText(dice);
      const encoded = percent(dice, value);
      pairs.push(
        dice.of([
          `${name}=${encoded}`,
          `${name}=${encoded.replaceAll("%20", "+")}`,
          `${name}=${encoded}`,
          dice.chance(0.1) ? name : `${name}=${encoded}`,
        ]),
      );
    }
  }
  if (dice.chance(0.1))
    pairs.push(dice.of(["", "=", "=1", "a", "a=1;b=2", "%", "x[]=1", "__proto__=1", "%6cimit=x", "limit=1=2"]));
  return pairs.length === 0 ? dice.of(["", "", "?"]) : `?${pairs.join("&")}`;
}

function contentTypeOf(dice: Dice): string | undefined {
  if (dice.chance(0.9)) return "application/json";
  return dice.of([
    undefined,
    ...[
      "",
      "text/plain",
      "application/json; charset=utf-8",
      "APPLICATION/JSON",
      "application/vnd.api+json",
      "application/problem+json;a=b",
    ],
    ...[
      "text/json",
      "application/jsonx",
      "application/x-json",
      "application/+json",
      "json",
      "application/json, text/plain",
      "*/*",
      " application/json ",
    ],
    ...[
      "application/json;",
      "application / json",
      "multipart/form-data",
      "application/xml",
      "text/x+json",
      "application/a+json+b",
      "application/json;charset",
    ],
  ]);
}

function bodyOf(dice: Dice, good: unknown): string {
  if (dice.chance(0.03)) return dice.of(["", " ", "null", " null ", "\ufeff{}", "{}", "[]", '""', "0"]);
  let text = print(dice, good, dice.of([0, 0.02, 0.1, 0.3]));
  if (dice.chance(0.15)) for (let left = 1 + dice.below(2); left > 0; left--) text = damagedSyntax(dice, text);
  return text;
}

/** Nearly always UTF-8. */
function encoded(dice: Dice, text: string): Buffer {
  const utf8 = Buffer.from(text);
  if (!dice.chance(0.03)) return utf8;
  const little = Buffer.from(text, "utf16le");
  const big = Buffer.from(little).swap16();
  return dice.of([
    ...[little, big, Buffer.from(`\ufeff${text}`), Buffer.concat([Buffer.from([0xff, 0xfe]), little])],
    ...[
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
      wide(text, "writeUInt32LE"),
      wide(`\ufeff${text}`, "writeUInt32BE"),
    ],
    ...[
      Buffer.from(text, "latin1"),
      Buffer.concat([utf8, Buffer.from([0xc3])]),
      little.subarray(1),
      big.subarray(0, -1),
    ],
  ]);
}

function wide(text: string, write: "writeUInt32LE" | "writeUInt32BE"): Buffer {
  const points = [...text];
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, point] of points.entries()) bytes[write](point.codePointAt(0) ?? 0, index * 4);
  return bytes;
}

/** JSON text of a value, in which each part may be replaced, left out or repeated. */
function print(dice: Dice, value: unknown, damage: number): string {
  if (dice.chance(damage)) return anyJson(dice);
  const space = dice.chance(0.05) ? dice.of([" ", "\n", "\t", "\r\n  "]) : "";
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => {
      if (dice.chance(damage / 2)) return dice.of([[], [anyJson(dice), print(dice, item, damage)]]);
      return [print(dice, item, damage)];
    });
    return `[${space}${items.join(`,${space}`)}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).flatMap(([name, member]) => {
      const pair = `${quoted(dice, name)}${space}:${print(dice, member, damage)}`;
      if (dice.chance(damage / 2)) return [];
      if (dice.chance(damage / 4)) return [pair, `${quoted(dice, damagedText(dice, name))}:${anyJson(dice)}`];
      if (dice.chance(damage / 4)) return [pair, `"${name}":${anyJson(dice)}`];
      return [pair];
    });
    return `{${members.join(`,${space}`)}${space}}`;
  }
  return typeof value === "string" ? quoted(dice, value) : JSON.stringify(value);
}

function damagedSyntax(dice: Dice, text: string): string {
  const units = [...text];
  const at = dice.below(units.length + 1);
  const strange = dice.of([
    ",",
    "]",
    "}",
    "{",
    "[",
    '"',
    ":",
    "\\",
    "\\u12",
    "\\x",
    "'",
    "\n",
    "\u0000",
    "tru",
    "nul",
    "-",
    "+1",
    "01",
    ".5",
    "1.",
    "1e",
    "//",
    "/**/",
    "é",
    "😀",
    "\u00a0",
    "\u001f",
    "\u007f",
    "\\ud83d\\ude00",
    "\\u0041",
    " ",
  ]);
  const removed = dice.of([0, 0, 1, 1, 3, units.length]);
  units.splice(at, removed, dice.chance(0.7) ? strange : "");
  return units.join("");
}
