import { describe, expect, it } from "vitest";
import { keyedEndpoints, readEndpoints } from "./endpoint-settings.ts";

const id = "019c6b7e-d901-79ff-a220-a47ff8fc99a8";
const entry = { name: "vendor", url: "https://host.example/v1/", models: ["small"], organisations: "all" };

describe("the endpoints of the settings", () => {
  it("are read with what they may say, and what holds where they do not", () => {
    const more = { ...entry, name: "other", organisations: [id], dimensions: 8, max_batch: 7 };
    expect(readEndpoints([entry, more])).toEqual([
      {
        ...{ name: "vendor", url: "https://host.example/v1", models: ["small"], organisations: "all" },
        ...{ dimensions: undefined, maxBatch: 64 },
      },
      {
        ...{ name: "other", url: "https://host.example/v1", models: ["small"], organisations: new Set([id]) },
        ...{ dimensions: 8, maxBatch: 7 },
      },
    ]);
  });

  const wrong: readonly (readonly [why: string, value: unknown, words: string])[] = [
    ["is no list", {}, "must be a JSON list"],
    ["has more than there may be", Array.from({ length: 21 }, () => entry), "20 endpoints at most"],
    ["has what is no object", ["x"], "entry 0 must be an object"],
    ["has an unknown field", [{ ...entry, key: "sk" }], "unknown field key"],
    ["has a name with capitals", [{ ...entry, name: "Vendor" }], "name must be"],
    ["names one twice", [entry, entry], "twice"],
    ["has a URL of another kind", [{ ...entry, url: "ftp://host.example" }], "url must be"],
    ["has a password in the URL", [{ ...entry, url: "https://a:b@host.example" }], "url must be"],
    ["has a query in the URL", [{ ...entry, url: "https://host.example/?a" }], "url must be"],
    ["has no models", [{ ...entry, models: [] }], "models must be"],
    ["has a model twice", [{ ...entry, models: ["a", "a"] }], "models must be"],
    ["says of no organisation", [{ ...entry, organisations: undefined }], "organisations must be"],
    ["has what is no id of an organisation", [{ ...entry, organisations: ["acme"] }], "acme is not one"],
    ["has too many dimensions", [{ ...entry, dimensions: 4_097 }], "dimensions must be"],
    ["has too large batches", [{ ...entry, max_batch: 101 }], "max_batch must be"],
  ];
  it.each(wrong)("are refused where the setting %s", (_, value, words) => {
    expect(() => readEndpoints(value)).toThrow(words);
  });
});

describe("the keys of endpoints", () => {
  const endpoints = readEndpoints([entry, { ...entry, name: "open" }]);

  it("belong to endpoints by their names, and one may have none", () => {
    const keyed = keyedEndpoints(endpoints, JSON.stringify({ vendor: "sk-1" }));
    expect(keyed.map(({ name, key }) => [name, key])).toEqual([
      ["vendor", "sk-1"],
      ["open", undefined],
    ]);
    expect(keyedEndpoints(endpoints, undefined).map(({ key }) => key)).toEqual([undefined, undefined]);
  });

  it.each([
    ["no JSON", "sk-secret"],
    ["a list", '["sk-secret"]'],
    ["an empty object", "{}"],
    ["a key that is no text", '{"vendor": {"key": "sk-secret"}}'],
    ["a key that no header can carry", '{"vendor": "sk-secret\\n"}'],
    ["a key of no endpoint", '{"vendo": "sk-secret"}'],
  ])("are refused without a word of them where the setting is %s", (_, text) => {
    const read = () => keyedEndpoints(endpoints, text);
    expect(read).toThrow("EMBEDDING_ENDPOINT_KEYS");
    expect(read).not.toThrow("sk-secret");
  });
});
