import { describe, expect, it } from "vitest";
import { keyedLocations, readLocations } from "./location-settings.ts";

const entry = { name: "lake", url: "https://s3.example/lake/shared", organisations: "all" };

describe("the locations of the settings", () => {
  it("are read with what they may say, and what holds where they do not", () => {
    const whole = { ...entry, name: "whole", url: "http://127.0.0.1:9000/lake", region: "eu-1" };
    expect(readLocations([entry, whole])).toEqual([
      {
        ...{ name: "lake", endpoint: "https://s3.example", bucket: "lake", prefix: "shared/" },
        ...{ region: "us-east-1", organisations: "all" },
      },
      {
        ...{ name: "whole", endpoint: "http://127.0.0.1:9000", bucket: "lake", prefix: "" },
        ...{ region: "eu-1", organisations: "all" },
      },
    ]);
  });

  const wrong: readonly (readonly [why: string, value: unknown, words: string])[] = [
    ["is no list", {}, "must be a JSON list of 100 locations"],
    ["names one twice", [entry, entry], "twice"],
    ["has an unknown field", [{ ...entry, key: "x" }], "unknown field key"],
    ["has no bucket", [{ ...entry, url: "https://s3.example/" }], "url must be"],
    [
      "has a percent sign that encodes nothing",
      [{ ...entry, url: "https://s3.example/lake/%zz" }],
      "entry 0: url must",
    ],
    ["has another protocol", [{ ...entry, url: "s3://lake/shared" }], "url must be"],
    ["has credentials in the URL", [{ ...entry, url: "https://a:b@s3.example/lake" }], "url must be"],
    ["says of no organisation", [{ name: "lake", url: entry.url }], "organisations must be"],
    ["has an empty region", [{ ...entry, region: "" }], "region must be"],
  ];
  it.each(wrong)("are refused where the setting %s", (_, value, words) => {
    expect(() => readLocations(value)).toThrow(words);
  });
});

describe("the keys of locations", () => {
  const locations = readLocations([entry, { ...entry, name: "role" }]);
  const key = { access_key_id: "id", secret_access_key: "secret" };

  it("belong to locations by their names, and one may have none", () => {
    const keyed = keyedLocations(locations, JSON.stringify({ lake: key }));
    expect(keyed.map((each) => each.key)).toEqual([{ accessKeyId: "id", secretAccessKey: "secret" }, undefined]);
  });

  it.each([
    ["no JSON", "secret"],
    ["a key without its id", '{"lake": {"secret_access_key": "secret"}}'],
    ["a key of no location", JSON.stringify({ pond: key })],
  ])("are refused without a word of them where the setting is %s", (_, text) => {
    const read = () => keyedLocations(locations, text);
    expect(read).toThrow("DATA_LOCATION_KEYS");
    expect(read).not.toThrow('"secret"');
  });
});
