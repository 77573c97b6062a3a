import { services } from "@aiplatform/contract/services";
import { route } from "@aiplatform/contract/transcoder/v1/route";
import { type DescMessage, hasOption } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileProtoFile } from "./compiled-proto.ts";
import { judgesOf } from "./judges.ts";
import { isRefined, messageCases } from "./message-cases.ts";

const proto = await compileProtoFile("everything.proto");
const everything = proto.service("everything.v1.EverythingService");
const rules = proto.message("everything.v1.Rules");
const inputs = [...services, everything]
  .flatMap(({ methods }) => methods.filter((method) => hasOption(method, route)))
  .map(({ input }) => [input.typeName, input] as const);
const messages = [...new Map<string, DescMessage>([...inputs, [rules.typeName, rules]])];
const runs = Number(process.env["FUZZ_RUNS"] ?? 15);

describe.each(messages)("%s", (_name, desc) => {
  const { read, write, fitsInput, fitsOutput, isValid, holds } = judgesOf(desc);
  const { good, bad } = messageCases(desc);
  const refined = isRefined(desc);

  it("is accepted alike by reader, schema and rules, and comes back from its JSON as it was", () => {
    fc.assert(
      fc.property(
        good.map((value) => JSON.stringify(value)),
        (json) => {
          const { message, problems, refused } = read(json);
          expect({ json, refused, problems: refined ? [] : problems }).toEqual({ json, refused: false, problems: [] });
          // What the schema says, the reader lists.
          expect({ json, fits: fitsInput(json) }).toEqual({ json, fits: problems.length === 0 });
          expect({ json, holds: holds(message), isValid: isValid(json) }).toEqual({ json, holds: true, isValid: true });
          const written = write(message);
          expect({ written, fits: fitsOutput(written) }).toEqual({ written, fits: true });
          const again = read(written);
          expect([again.refused, write(again.message)]).toEqual([false, written]);
        },
      ),
      { numRuns: runs },
    );
  });

  it("is refused alike when one thing is wrong, for one reason", () => {
    fc.assert(
      fc.property(
        (bad ?? fc.constant(1)).map((value) => JSON.stringify(value)),
        (json) => {
          const { problems, refused } = read(json);
          expect({ json, refused, fits: fitsInput(json) }).toEqual({ json, refused: true, fits: false });
          if (!refined) expect({ json, count: problems.length }).toEqual({ json, count: 1 });
        },
      ),
      { numRuns: runs },
    );
  });
});

describe("a flag that has to be true", () => {
  const { read, fitsInput } = judgesOf(rules);
  const others = {
    ...{ prefixed: "a.b", suffixed: "(c)", containing: "+", exact: "abc", closed: "x", constant: "serving" },
    ...{ single: ["a"], points: { a: 0 }, blob: "AA==", colour: "red", required: "x" },
  };

  it.each([
    [true, 0, true],
    [false, 1, false],
  ])("given as %p has %i problems, and the schema says so too", (agreed, count, fits) => {
    const json = JSON.stringify({ ...others, agreed });
    expect({ count: read(json).problems.length, fits: fitsInput(json) }).toEqual({ count, fits });
  });
});

describe("reader, schema and rules differ only where", () => {
  const desc = everything.method["echoEverything"]?.input.fields.find(({ name }) => name === "everything")?.message;
  const { read, write, fitsInput, fitsOutput, isValid } = judgesOf(desc ?? noMessage());

  it.each([
    ["an integer is spelled as a text, as pydantic takes it", '{"small":"5"}', [true, false, true]],
    ["an integer is spelled as a truth value", '{"count":true}', [true, false, undefined]],
    ["a truth value is spelled as a text", '{"flag":"yes"}', [true, false, undefined]],
    ["a number has no JSON form but a text", '{"ratio":"NaN"}', [true, false, true]],
    ["a time is a number of seconds", '{"at":1.5}', [true, false, undefined]],
    ["a time has no offset", '{"at":"2026-01-01 10:00"}', [true, false, undefined]],
    ["a uuid is spelled otherwise", '{"key":"{3FA85F64-5717-4562-B3FC-2C963F66AFA6}"}', [true, false, false]],
    ["an integer is beyond its type, and becomes the end of it", '{"count":99999999999}', [true, true, undefined]],
    ["two of a oneof are given", '{"name":"x","number":1}', [false, true, undefined]],
    ["null stands for a default", '{"limit":null}', [false, false, true]],
    ["null stands for a list", '{"tags":null}', [false, false, true]],
  ])("%s", (_where, json, expected) => {
    expect([read(json).problems.length === 0, fitsInput(json), isValid(json)]).toEqual(expected);
  });

  it("none of a oneof is given of which one must be", () => {
    const changing = judgesOf(everything.method["changeName"]?.input ?? noMessage());
    const json = '{"name":"ada","aliases":[]}';
    expect([changing.read(json).problems.length, changing.fitsInput(json), changing.isValid(json)]).toEqual([
      1,
      true,
      false,
    ]);
  });

  it("an enum is not set, which is written as null", () => {
    const written = write(read("{}").message);
    expect([JSON.parse(written).colour, fitsOutput(written)]).toEqual([null, false]);
    expect(fitsOutput(write(read('{"colour":"red"}').message))).toBe(true);
  });
});

function noMessage(): never {
  throw new Error("the test service has lost its message");
}
