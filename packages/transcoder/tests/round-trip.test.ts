import { create, type DescMessage, fromJson, type JsonObject, type Message, toBinary } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ProblemList } from "../src/errors/problem-list.ts";
import { JsonOutput } from "../src/json/output.ts";
import { scanJson } from "../src/json/scanner.ts";
import { JsonView } from "../src/json/view.ts";
import { ReaderCompiler } from "../src/messages/message-reader.ts";
import { WriterCompiler } from "../src/messages/message-writer.ts";
import { compileProto, compileProtoFile } from "./compiled-proto.ts";

const seconds = fc.integer({ min: -60_000_000_000, max: 250_000_000_000 });
// What a reader sees as one character may be several code points, which the rules count: at most ten.
const text = fc.string({ unit: "grapheme", maxLength: 5 }).filter((value) => [...value].length <= 10);
const uuid = fc.uuid();
const json = fc.json({ maxDepth: 3 });

/** Random values of the test message, in protobuf's own JSON form. */
const leaf = {
  text,
  maybeText: text,
  small: fc.integer({ min: -5, max: 99 }),
  count: fc.nat({ max: 2 ** 32 - 1 }),
  big: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  huge: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  ratio: fc.double().map((value) => (Number.isFinite(value) ? value : String(value))),
  rough: fc.float({ noDefaultInfinity: true, noNaN: true }),
  flag: fc.boolean(),
  maybeFlag: fc.boolean(),
  blob: fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  colour: fc.constantFrom("COLOUR_RED", "COLOUR_DEEP_BLUE"),
  at: seconds
    .map((value) => new Date(value * 1000))
    .filter((date) => date.getUTCFullYear() > 0 && date.getUTCFullYear() < 10_000)
    .map((date) => date.toISOString()),
  // `null` is the same as absent.
  content: json.filter((value) => value !== "null").map((value) => ({ text: value })),
  settings: fc.dictionary(text, fc.jsonValue()).map((value) => ({ text: JSON.stringify(value) })),
  tags: fc.array(text, { maxLength: 5 }),
  colours: fc.array(fc.constantFrom("COLOUR_RED", "COLOUR_DEEP_BLUE")),
  metrics: fc.dictionary(text, fc.integer(), { maxKeys: 5 }),
  number: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  limit: fc.integer({ min: -9, max: 50 }),
  key: uuid,
} as const;
// Always given: an absent field is written as its default, and an enum without a value as null, which a reader refuses.
const requiredKeys: { requiredKeys: ("limit" | "colour")[] } = { requiredKeys: ["limit", "colour"] };
const values = fc.record(
  {
    ...leaf,
    child: fc.record(leaf, requiredKeys),
    children: fc.array(fc.record(leaf, requiredKeys), { maxLength: 2 }),
  },
  requiredKeys,
);

function write(desc: DescMessage, message: Message): string {
  const output = new JsonOutput();
  new WriterCompiler().message(desc)(message, output);
  return output.finish().toString();
}

function read(desc: DescMessage, body: string): { message: unknown; problems: ProblemList } {
  scanJson(body);
  const problems = new ProblemList();
  return { message: new ReaderCompiler().message(desc)(JsonView.of(body), problems), problems };
}

describe("any message", () => {
  let desc: DescMessage;
  beforeAll(async () => {
    desc = (await compileProtoFile("everything.proto")).message("everything.v1.Everything");
  });

  it("is read back from its JSON as it was", () => {
    fc.assert(
      fc.property(values, (value) => {
        // Records of fast-check may lack a prototype and hold undefined; a plain JSON object does not.
        const message = fromJson(desc, JSON.parse(JSON.stringify(value)) as JsonObject);
        const { message: again, problems } = read(desc, write(desc, message));
        expect(problems.entries).toEqual([]);
        // As bytes, for NaN equals nothing.
        expect(toBinary(desc, again as Message)).toEqual(toBinary(desc, message));
      }),
      { numRuns: 200 },
    );
  });
});

describe("the rules of a message", () => {
  it("are the same for the reader as for protovalidate", async () => {
    const proto = await compileProto({
      "rules.proto": `syntax = "proto3"; package rules.v1; import "buf/validate/validate.proto";
        message Rules {
          string name = 1 [(buf.validate.field).string = {min_len: 1, max_len: 3}];
          string must = 2 [(buf.validate.field).required = true];
          optional string maybe = 3 [(buf.validate.field).string.min_len = 2];
          string kind = 4 [(buf.validate.field).string = {in: ["", "a", "b"]}];
          string slug = 5 [(buf.validate.field).string = {pattern: "^[ab]*$"}, (buf.validate.field).ignore = IGNORE_IF_ZERO_VALUE];
          int32 small = 6 [(buf.validate.field).int32 = {gte: -1, lt: 3}];
          optional uint32 count = 7 [(buf.validate.field).uint32 = {not_in: [2]}];
          int64 big = 8 [(buf.validate.field).int64 = {gt: -2, lte: 2}];
          double ratio = 9 [(buf.validate.field).double = {gte: 0, lte: 1}];
          repeated string tags = 10 [(buf.validate.field).repeated = {max_items: 2, unique: true, items: {string: {min_len: 1}}}];
          map<string, int32> points = 11 [(buf.validate.field).map = {max_pairs: 2, values: {int32: {gte: 0}}}];
          bool agreed = 12 [(buf.validate.field).bool.const = true];
        }`,
    });
    const desc = proto.message("rules.v1.Rules");
    const validator = createValidator();
    const short = fc.string({ unit: fc.constantFrom("a", "b", "😀"), maxLength: 4 });
    const small = fc.integer({ min: -3, max: 4 });
    const given = fc.record(
      {
        name: short,
        must: short,
        maybe: short,
        kind: short,
        slug: short,
        small,
        count: fc.nat({ max: 3 }),
        big: small,
        ratio: fc.double({ min: -1, max: 2, noNaN: true }),
        tags: fc.array(short, { maxLength: 3 }),
        points: fc.dictionary(short, small, { maxKeys: 3 }),
        agreed: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, (value) => {
        const { problems } = read(desc, JSON.stringify(value));
        const message = fromJson(desc, JSON.parse(JSON.stringify(value)) as JsonObject);
        const { kind } = validator.validate(desc, message ?? create(desc));
        expect({ value, accepted: problems.entries.length === 0 }).toEqual({ value, accepted: kind === "valid" });
      }),
      { numRuns: 500 },
    );
  });
});
