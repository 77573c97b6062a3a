import { describe, expect, it } from "vitest";
import { differencesOf } from "./differences.ts";

const run = (configuration: string, parameters = "{}") => ({ configuration, parameters });

const numbers = (value: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

const numbered = (value: number, count: number) => run(JSON.stringify(numbers(value, count)));

describe("what differs between runs", () => {
  it.each<[string, string[], [string, (string | undefined)[]][]]>([
    ["nothing, where all is the same", ['{"a":1}', '{"a":1}'], []],
    ["nothing, however the same is written", ['{"a":0.10,"b":{"c":[1]}}', '{"b":{"c":[1]},"a":1e-1}'], []],
    [
      "a number, with all its digits",
      ['{"a":12345678901234567890}', '{"a":1}'],
      [["a", ["12345678901234567890", "1"]]],
    ],
    [
      "a member of an object by its path",
      ['{"o":{"rate":1,"b":2}}', '{"o":{"rate":2,"b":2}}'],
      [["o.rate", ["1", "2"]]],
    ],
    ["a list as a whole", ['{"layers":[1,2]}', '{"layers":[1,3]}'], [["layers", ["[1,2]", "[1,3]"]]]],
    ["a value that only some have", ['{"a":null}', "{}", '{"a":null}'], [["a", ["null", undefined, "null"]]]],
    [
      "an empty object beside one with members",
      ['{"a":{}}', '{"a":{"b":1}}'],
      [
        ["a", ["{}", undefined]],
        ["a.b", [undefined, "1"]],
      ],
    ],
    ["a type", ['{"a":"1"}', '{"a":1}'], [["a", ['"1"', "1"]]]],
    ["any name", ['{"__proto__":1}', "{}"], [["__proto__", ["1", undefined]]]],
  ])("is %s", async (_what, configurations, expected) => {
    const { differences, truncated } = await differencesOf(configurations.map((text) => run(text)));
    expect(truncated).toBe(false);
    const paths = expected.map(([path, values]) => ({ path: `configuration.${path}`, values }));
    expect(differences).toEqual(paths);
  });

  it("is told of parameters and configurations apart, by path", async () => {
    const { differences } = await differencesOf([run('{"b":1}', '{"a":1}'), run('{"b":2}', '{"a":2}')]);
    expect(differences.map(({ path }) => path)).toEqual(["configuration.b", "parameters.a"]);
  });

  it("is 500 values at most, and says when there are more", async () => {
    expect(await differencesOf([numbered(1, 500), numbered(2, 500)])).toMatchObject({ truncated: false });
    const { differences, truncated } = await differencesOf([numbered(1, 501), numbered(2, 501)]);
    expect([differences.length, truncated]).toEqual([500, true]);
  });

  const deep = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  it.each([
    ["has more than 10,000 values", JSON.stringify(numbers(1, 20_000))],
    ["is longer than 256 KiB", JSON.stringify({ a: "x".repeat(256 * 1_024) })],
    ["is nested too deeply", deep],
  ])("leaves out what is not known where a configuration %s", async (_why, configuration) => {
    const paths = await differencesOf([run(configuration), run('{"other":1}')]);
    expect(paths).toEqual({ differences: [], truncated: true });
  });

  it("lets others have their turn while it compares", async () => {
    const configurations = Array.from({ length: 10 }, () => numbered(1, 9_000));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await differencesOf(configurations);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(configurations.length);
  });
});
