import { describe, expect, it } from "vitest";
import { UnfitRowsError } from "./embedding.ts";
import { assertNoneSensitive, sensitiveAmong } from "./sensitive-columns.ts";

describe("the sensitive columns among those that are sent", () => {
  it.each([
    ["are found whatever their case", ["Email", "x"], ["EMAIL"], ["Email"]],
    ["are found whatever the form of an accent", ["Pre\u0301nom"], ["Pr\u00e9nom"], ["Pre\u0301nom"]],
    ["are those of the whole name", ["email_domain"], ["email"], []],
    ["are none where none is marked", ["email"], [], []],
  ])("%s", (_, columns, marked, found) => {
    expect(sensitiveAmong(columns, marked)).toEqual(found);
  });

  it("end what is under way", () => {
    expect(() => assertNoneSensitive(["x"], ["y"])).not.toThrow();
    expect(() => assertNoneSensitive(["x", "y"], ["Y"])).toThrow(UnfitRowsError);
  });
});
