import { readFile } from "node:fs/promises";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { threadCpuMs } from "@aiplatform/testkit/thread-cpu";
import { describe, expect, it } from "vitest";
import { readParquet } from "./read-parquet.ts";

/** Written by Apache Arrow's own library. */
const fixture = (name: string) => readFile(new URL(`../../../tests/fixtures/${name}.parquet`, import.meta.url));
const columns = (bytes: Uint8Array) => readParquet(bytes).map(({ name, type }) => `${name}: ${type}`);

function problems(bytes: Uint8Array): string[] {
  try {
    readParquet(bytes);
  } catch (error) {
    if (error instanceof InvalidFieldsError) return error.violations.map(({ description }) => description);
    throw error;
  }
  return [];
}

/** A file of nothing but this footer. */
function fileWith(footer: Uint8Array, ending = "PAR1"): Buffer {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(footer.length);
  tail.write(ending, 4);
  return Buffer.concat([footer, tail]);
}

const damaged = [expect.stringMatching(/^The footer of the file is damaged/)];
const endless = (bytes: number) => Buffer.alloc(bytes, 0xff);

describe("the columns of a Parquet file", () => {
  it("have its names, and the types that the file says", async () => {
    expect(columns(await fixture("types"))).toEqual([
      "text: string",
      "whole: integer",
      "small: integer",
      "real: number",
      "half: number",
      "yes: boolean",
      "day: date",
      "at: date_time",
      "time: string",
      "money: number",
      "count: integer",
      "bytes: string",
      "list: string",
      "inner: string",
      "map: string",
      'Grüße, "Welt": integer',
    ]);
  });

  it("know the old way to write points in time", async () => {
    expect(columns(await fixture("int96"))).toEqual(["at: date_time"]);
  });

  it("are read from the end of the file alone", async () => {
    const file = await fixture("types");
    const footer = file.readUInt32LE(file.length - 8);
    expect(columns(file.subarray(-(footer + 8)))).toEqual(columns(file));
  });
});

describe("a file that cannot be read as Parquet", () => {
  it("says that its end is missing, or that it is another", async () => {
    const file = await fixture("types");
    for (const bytes of [file.subarray(0, -1), Buffer.from("a,b\n1,2\n"), Buffer.from("PAR1"), Buffer.alloc(1)]) {
      expect(problems(bytes)).toEqual([
        "The file does not end as a Parquet file does: it is another, or its end is missing",
      ]);
    }
  });

  it("says that the sample does not hold the whole footer", async () => {
    const file = await fixture("int96");
    expect(problems(file.subarray(-40))).toEqual([expect.stringMatching(/^The footer has \d+ bytes, and not all/)]);
  });

  it("says that it is encrypted, and that a name is there twice", async () => {
    expect(problems(fileWith(Buffer.from("x"), "PARE"))).toEqual(["The file is encrypted"]);
    expect(problems(await fixture("repeated-name"))).toEqual(["Column 2 has the name of column 1"]);
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["an empty structure", Buffer.of(0)],
    ["a number without an end", Buffer.concat([Buffer.of(0x15), endless(4_000_000)])],
    ["a number of 64 bits and more", Buffer.concat([Buffer.of(0x16), endless(4_000_000)])],
    ["a list of two thousand million", Buffer.of(0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0)],
    ["lists of lists", Buffer.alloc(100_000, 0x19)],
    ["structures in structures", Buffer.alloc(100_000, 0x1c)],
    ["a text longer than the file", Buffer.of(0x18, 0xff, 0xff, 0xff, 0xff, 0x07, 0)],
    ["a type that is none", Buffer.of(0x1d, 0)],
    ["a schema of numbers", Buffer.of(0x15, 2, 0x19, 0x25, 2, 2, 0x16, 0, 0x19, 0x0c, 0)],
    ["a schema of nothing", Buffer.of(0x15, 2, 0x19, 0x0c, 0x16, 0, 0x19, 0x0c, 0)],
  ])("with a footer of %s is answered at once", (_, footer) => {
    const taken = threadCpuMs(() => expect(problems(fileWith(footer))).toEqual(damaged));
    expect(taken).toBeLessThan(1_000);
  });

  it("that promises more columns than it has is damaged", () => {
    // schema: a root of nine children, and nothing below it.
    const root = Buffer.of(0x48, 1, 0x72, 0x15, 18, 0);
    const footer = Buffer.concat([Buffer.of(0x15, 2, 0x19, 0x1c), root, Buffer.of(0x16, 0, 0x19, 0x0c, 0)]);
    expect(problems(fileWith(footer))).toEqual(damaged);
  });

  it("is refused, read or damaged, wherever one of its bytes is another", async () => {
    const file = await fixture("types");
    const footer = file.length - 8 - file.readUInt32LE(file.length - 8);
    for (let place = footer; place < file.length; place++) {
      for (const byte of [0, 0x7f, 0xff, (file[place] ?? 0) ^ 1]) {
        const other = Buffer.from(file);
        other[place] = byte;
        expect(() => problems(other)).not.toThrow();
      }
    }
  });
});
