import { gzipSync } from "node:zlib";
import type { ConvertRequest } from "../src/index.ts";

type Content = string | Uint8Array;

/** Lines of a file, by their numbers where one stands in front of them. */
export const lines = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index + 2)}\n`).join("");

const footer = (length: number, magic = "PAR1") => {
  const end = Buffer.alloc(4);
  end.writeUInt32LE(length);
  return Buffer.concat([Buffer.from(`${magic}${"x".repeat(500)}`), end, Buffer.from(magic)]);
};
const broken = (line: number) => lines(70_500, (each) => (each === line ? `${each},"x"y` : `${each},"x, ${each}"`));

/** What is wrong, the file, and what is said of it. */
export const faults: readonly [
  what: string,
  files: Readonly<Record<string, Content>>,
  fault: object,
  limits?: ConvertRequest["limits"],
][] = [
  [
    "a broken quote in line 70,001",
    { "q.csv": `a,b\n${broken(70_001)}` },
    { rule: "quote", line: 70_001, column: "b" },
  ],
  [
    "a quote that is never closed",
    { "q.csv": `a,b\n${lines(30_000, (line) => `${line},x`)}1,"x\n2,y` },
    { rule: "quote", line: 30_002 },
  ],
  ["a line with too few values", { "v.csv": "a,b\n1,2\n3\n" }, { rule: "values", line: 3 }],
  ["a line with too many values", { "v.csv": "a,b\n1,2\n3,4,5\n" }, { rule: "values", line: 3 }],
  [
    "a text among integers, behind values of two lines",
    { "t.csv": `a,b\n${lines(30_000, (line) => `${line},"x\ny"`)}abc,z\n` },
    { rule: "type", line: 60_002, column: "a" },
  ],
  [
    "a postcode among integers",
    { "t.csv": `a\n${lines(30_000, String)}01234\n` },
    { rule: "type", line: 30_002, column: "a" },
  ],
  [
    "a day that no calendar has",
    { "d.csv": `a\n${"2026-01-02\n".repeat(30_000)}2026-02-30\n` },
    { rule: "type", line: 30_002 },
  ],
  ["bytes that are not UTF-8", { "u.csv": Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x0a]) }, { rule: "utf8", line: 1 }],
  [
    "bytes that are not UTF-8, far behind",
    { "u.csv": Buffer.concat([Buffer.alloc(5_000_000, "abcdefghi\n"), Buffer.from([0xff, 0x0a])]) },
    { rule: "utf8" },
  ],
  ["two columns of one name", { "h.csv": "a,b,A\n1,2,3\n" }, { rule: "header", line: 1 }],
  ["a column without a name", { "h.csv": "a,,b\n1,2,3\n" }, { rule: "header", line: 1 }],
  ["a file of empty lines", { "h.csv": "\n\n\n" }, { rule: "header" }],
  ["a file without a byte", { "e.csv": "" }, { rule: "empty" }],
  ["line ends of two kinds", { "e.csv": `a,b\r\n1,2\r\n${"3,4\n"}5,6\r\n` }, { rule: "syntax", line: 3 }],
  [
    "a cell that is too large",
    { "c.csv": `a,b\n1,${"x".repeat(70_000)}\n` },
    { rule: "cell", line: 2 },
    { maxCellBytes: 65_536 },
  ],
  [
    "another column in the second file",
    { "1.csv": "a,b\n1,2\n", "2.csv": "a,c\n1,2\n" },
    { file: "2.csv", rule: "columns", column: "c" },
  ],
  [
    "another type in the second file",
    { "1.csv": "a\n1\n", "2.csv": "a\nx\n" },
    { file: "2.csv", rule: "type", column: "a" },
  ],
  [
    "a line that is no JSON",
    { "j.jsonl": `${lines(30_000, (line) => `{"a":${line}}`)}{"a":3\n` },
    { rule: "syntax", line: 30_001 },
  ],
  [
    "a key whose type changes",
    { "j.jsonl": `${lines(30_000, (line) => `{"a":${line}}`)}{"a":"x"}\n` },
    { rule: "type", line: 30_001, column: "a" },
  ],
  [
    "lists within lists without end",
    { "j.jsonl": `{"a":1}\n{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}\n` },
    { rule: "depth", line: 2 },
  ],
  ["a Parquet file that is cut", { "p.parquet": footer(100).subarray(0, -3) }, { rule: "damaged" }],
  ["a Parquet file that is none", { "p.parquet": "a,b\n1,2\n" }, { rule: "damaged" }],
  ["a Parquet footer of two gigabytes", { "p.parquet": footer(0x7fff_ffff) }, { rule: "damaged" }],
  ["a Parquet footer of noise", { "p.parquet": footer(400) }, { rule: "damaged" }],
  ["an encrypted Parquet file", { "p.parquet": footer(100, "PARE") }, { rule: "encrypted" }],
  ["a packed file that is none", { "z.csv.gz": "a,b\n1,2\n" }, { rule: "compression" }],
  [
    "a packed file that is cut",
    { "z.csv.gz": gzipSync("a,b\n1,2\n".repeat(1_000)).subarray(0, -20) },
    { rule: "compression" },
  ],
];
