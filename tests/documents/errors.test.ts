import { describe, expect, it } from "vitest";
import { statusTable } from "../../packages/transcoder/src/errors/http-error.ts";
import { errorCodes } from "../../scripts/errors/error-codes.ts";
import { problemTypes } from "../../scripts/errors/problem-types.ts";
import { raisedCodes } from "../../scripts/errors/raised-codes.ts";

const { reasons, codes, types, others } = raisedCodes();
const ofReasons = new Set(reasons.map(({ reason }) => reason.toLowerCase()));
const ofHttp = new Set(codes.map(({ code }) => code));
const ofTypes = new Set(types.map(({ type }) => type));
const fallbacks = new Set(Object.values(statusTable).map(({ code }) => code));
const texts = { ...problemTypes.ofValues, ...problemTypes.ofRules };
const unlisted = (found: Iterable<string>, table: object) => [...found].filter((each) => !Object.hasOwn(table, each));

/** Words in capitals that are no reasons: codes of Node and other libraries, prefixes of enums, names of settings, kinds of nodes of DuckDB's parser. */
const isNoReason = (word: string) =>
  /^(?:ERR|UND_ERR|HPE|EAI|OAUTH)_|_FILE$/.test(word) ||
  [
    "ACTIVE_ONLY",
    "DELETED_ONLY",
    "METRIC_GOAL",
    "LEASE_EXPIRY_POLICY",
    "OVERRIDE_TYPE",
    "OVERRIDE_CLASS",
    "WHEN_REQUIRED",
    "SHOW_REF",
    "BASE_TABLE",
    "TABLE_FUNCTION",
  ].includes(word) ||
  // The reason of an error of another class, which cannot happen.
  word === "API_KEY_NOT_ROTATABLE";

describe("the table of error codes", () => {
  it("has every reason and every code that the sources raise", () => {
    expect(unlisted([...ofReasons, ...ofHttp, ...fallbacks], errorCodes)).toEqual([]);
    expect(ofReasons.size).toBeGreaterThan(80);
    expect(ofHttp.size).toBeGreaterThan(15);
  });

  it("has no code that nothing raises", () => {
    const raised = new Set([...ofReasons, ...ofHttp, ...fallbacks, ...others.map((word) => word.toLowerCase())]);
    expect(Object.keys(errorCodes).filter((code) => !raised.has(code))).toEqual([]);
  });

  it("has a meaning and a remedy for each, as sentences", () => {
    const unfinished = Object.entries({ ...errorCodes, ...texts }).filter(
      ([, { meaning, remedy }]) => !/[.)]$/.test(meaning) || !/[.)]$/.test(remedy),
    );
    expect(unfinished).toEqual([]);
  });
});

describe("the table of types of 422", () => {
  it("has every type that the sources raise", () => {
    expect(unlisted(ofTypes, texts)).toEqual([]);
    expect(ofTypes.size).toBeGreaterThan(60);
  });

  it("has every type of a refused field of an RPC", () => {
    const invalid = reasons.filter(({ grpc }) => grpc === "InvalidArgument").map(({ reason }) => reason.toLowerCase());
    expect(unlisted(invalid, { ...texts, fields_invalid: "its fields have types of their own" })).toEqual([]);
  });
});

describe("every other word in capitals", () => {
  it("is in one of the tables, or no reason", () => {
    const tables = { ...errorCodes, ...texts };
    expect(others.filter((word) => !isNoReason(word) && !Object.hasOwn(tables, word.toLowerCase()))).toEqual([]);
  });
});
