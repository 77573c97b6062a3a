import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { readDateTime } from "../src/date-time-text.ts";
import { Fault } from "../src/fault.ts";
import { JsonSyntaxError, scanJson } from "../src/json-scanner.ts";
import { readBooleanText, readFloatText, readIntegerText } from "../src/number-text.ts";
import { readUuid } from "../src/uuid-text.ts";

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

const vectors: Vectors = JSON.parse(readFileSync(new URL("fixtures/vectors.json", import.meta.url), "utf8"));
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
    ["uuid", vectors.uuid, readUuid],
    ["int", vectors.int, readIntegerText],
    ["float", vectors.float, readFloatText],
    ["bool", vectors.bool, readBooleanText],
  ] as const)("is read as %s like the reference", (_kind, given, read) => {
    expect(given.map(({ input }) => outcome(read(input), input))).toEqual(given.map(expected));
  });

  it("is read as date-time like the reference; without an offset it is UTC", () => {
    for (const { input, ok, ...fault } of vectors.datetime) {
      const value = readDateTime(input);
      if (value instanceof Fault) {
        expect(outcome(value, input)).toEqual({ input, ...fault });
      } else {
        const text = String(ok).replace(" ", "T");
        const wanted = Date.parse(/[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
        expect(Number(value.seconds) * 1000 + Math.floor(value.nanos / 1e6)).toBe(wanted);
      }
    }
  });
});

describe("a text that should be JSON", () => {
  it("is accepted or refused like the reference, at the same place and in the same words", () => {
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
