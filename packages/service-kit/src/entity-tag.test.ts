import { describe, expect, it } from "vitest";
import { assertMatch, EntityTagMismatchError, entityTag } from "./entity-tag.ts";

describe("a write to version 7", () => {
  it.each([
    ["no condition", "", true],
    ["the tag", '"7"', true],
    ["the tag among others", '"5", "7"', true],
    ["the tag between blanks", ' "7" ', true],
    ["any", "*", true],
    ["an older tag", '"6"', false],
    ["a tag that begins alike", '"70"', false],
    ["the tag made weak", 'W/"7"', false],
    ["the tag without its quotes", "7", false],
    ["nothing but a comma", ",", false],
  ])("under the condition: %s", (_, ifMatch, holds) => {
    const write = () => assertMatch(ifMatch, 7, "dictionary");
    if (holds) expect(write).not.toThrow();
    else expect(write).toThrow(new EntityTagMismatchError(entityTag(7), "dictionary"));
  });
});
