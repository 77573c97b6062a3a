import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Fault } from "../src/errors/fault.ts";
import { JsonSyntaxError, scanJson } from "../src/json/scanner.ts";
import { readDateTime } from "../src/scalars/date-time.ts";
import { readBooleanText, readFloatText, readIntegerText } from "../src/scalars/number.ts";
import { readUuid } from "../src/scalars/uuid.ts";

interface Vector {
  input: string;
  ok?: string | number | boolean;
  type?: string;
  msg?: string;
  ctx?: object;
}
interface Vectors {
  uuid: Vector[];
  int: Vector[];
  float: Vector[];
  bool: Vector[];
  datetime: Vector[];
  json: { text: string; ok?: true; loc?: [string, number]; ctx?: { error: string } }[];
}

const read = <T>(file: string): T => JSON.parse(readFileSync(new URL(`fixtures/${file}`, import.meta.url), "utf8"));
const vectors = read<Vectors>("vectors.json");
/** Texts that were once read otherwise than by the reference. */
const found = read<Omit<Vectors, "json">>("found-vectors.json");
const specials: Readonly<Record<string, number>> = { inf: Infinity, "-inf": -Infinity, nan: Number.NaN };

/** What a reader makes of a vector's input, in the vector's form. */
function outcome(value: unknown, input: string): unknown {
  if (!(value instanceof Fault)) return { input, ok: String(value) };
  return { input, type: value.type, msg: value.msg, ctx: JSON.parse(value.ctx ?? "{}") };
}

function expected({ input, ok, ...fault }: Vector): unknown {
  return ok === undefined ? { input, ...fault } : { input, ok: String(specials[String(ok)] ?? ok) };
}

describe("a text", () => {
  it.each([
    ["uuid", 266, readUuid],
    ["int", 35, readIntegerText],
    ["float", 17, readFloatText],
    ["bool", 23, readBooleanText],
  ] as const)("is read as %s like the reference, all of %i and what was found since", (kind, count, read) => {
    expect(vectors[kind]).toHaveLength(count);
    const given = [...vectors[kind], ...found[kind]];
    expect(given.map(({ input }) => outcome(read(input), input))).toEqual(given.map(expected));
  });

  it("is read as date-time like the reference; without an offset it is UTC", () => {
    expect(vectors.datetime).toHaveLength(21);
    for (const { input, ok, ...fault } of [...vectors.datetime, ...found.datetime]) {
      const value = readDateTime(input);
      if (value instanceof Fault) {
        expect(outcome(value, input)).toEqual({ input, ...fault });
      } else {
        const text = String(ok).replace(" ", "T");
        const wanted = Date.parse(/[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
        const micros = Number(/\.(\d+)/.exec(text)?.[1]?.padEnd(6, "0") ?? 0);
        expect([Number(value.seconds), value.nanos]).toEqual([Math.floor(wanted / 1000), micros * 1000]);
      }
    }
  });
});

describe("a text that should be JSON", () => {
  it("is accepted or refused like the reference, at the same place and in the same words", () => {
    expect(vectors.json).toHaveLength(266);
    for (const { text, ok, loc, ctx } of vectors.json) {
      expect({ text, fault: faultOf(text) }).toEqual({ text, fault: ok ? undefined : [loc?.[1], ctx?.error] });
    }
  });

  it("is refused at once when it is a million brackets", () => {
    expect(() => scanJson("[".repeat(1_000_000))).toThrow("JSON is nested too deeply");
  });
});

function faultOf(text: string): unknown {
  try {
    scanJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return [error.position, error.fault];
    throw error;
  }
}
