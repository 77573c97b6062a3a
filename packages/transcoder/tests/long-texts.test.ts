import { describe, expect, it } from "vitest";
import { Fault } from "../src/errors/fault.ts";
import { readDateTime } from "../src/scalars/date-time.ts";
import { readBooleanText, readFloatText, readIntegerText } from "../src/scalars/number.ts";
import { readUuid } from "../src/scalars/uuid.ts";

const mebibyte = 1_048_576;
/** A linear reader takes milliseconds, a quadratic one takes minutes for the same texts. */
const maxCpuMs = 500;

const readers = { readIntegerText, readFloatText, readBooleanText, readUuid, readDateTime };
const fillers = {
  blanks: " ",
  "unicode blanks": "\u3000",
  "line ends": "\n",
  zeros: "0",
  nines: "9",
  underscores: "_",
  pluses: "+",
  hyphens: "-",
  points: ".",
  letters: "e",
  braces: "{",
};

/** Milliseconds of CPU of this thread, the least of three: what else the machine does only adds. */
function cpuMs(work: () => unknown): number {
  const taken = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...taken);
}

describe("a text of a megabyte", () => {
  const cases = Object.keys(readers).flatMap((reader) =>
    Object.entries(fillers).map(([filler, sign]) => [filler, reader, sign] as const),
  );

  it.each(cases)("of %s is judged by %s in linear time", (_, reader, sign) => {
    const read = Object.entries(readers).find(([name]) => name === reader)?.[1] ?? readIntegerText;
    for (const text of [`1${sign.repeat(mebibyte)}x`, `${sign.repeat(mebibyte)}x`, sign.repeat(mebibyte)]) {
      expect(cpuMs(() => read(text))).toBeLessThan(maxCpuMs);
    }
  });

  it("is no number when 40,000 blanks stand before its last letter", () => {
    const text = `1${" ".repeat(40_000)}x`;
    expect([readIntegerText(text), readFloatText(text)]).toEqual([expect.any(Fault), expect.any(Fault)]);
    expect(cpuMs(() => readIntegerText(text))).toBeLessThan(maxCpuMs);
  });

  it("has the white space that Unicode has around it, and no other", () => {
    const codes = Array.from({ length: 0x1_0000 }, (_, code) => code);
    const trimmed = codes.filter((code) => readIntegerText(`7${String.fromCharCode(code)}`) === 7);
    expect(trimmed).toEqual(codes.filter((code) => /^\p{White_Space}$/u.test(String.fromCharCode(code))));
  });

  it("is the number that stands between its blanks", () => {
    const blanks = " \u0085\u00a0\u3000\n".repeat(mebibyte / 8);
    expect([readIntegerText(`${blanks}7${blanks}`), readFloatText(`${blanks}0.5${blanks}`)]).toEqual([7, 0.5]);
  });
});
