import { describe, expect, it } from "vitest";
import { sourceLines } from "./source-lines.ts";

describe("the lines of a bundle, by the mappings of its source map", () => {
  it.each([
    ["nothing", "", [-1], [-1]],
    ["the first line of the first source", "AAAA", [0], [1]],
    ["lines one after the other", "AAAA;AACA;AACA", [0, 0, 0], [1, 2, 3]],
    ["a line that is in no source", "AAAA;;AACA", [0, -1, 0], [1, -1, 2]],
    ["a mapping without a source, and one behind it", "A,CAEA", [0], [3]],
    ["the first of several in a line, where the next goes back", "AAIA,EAFA;AAAA", [0, 0], [5, 3]],
    ["another source", "AAAA;ACEA", [0, 1], [1, 3]],
    ["names of what is mapped", "AAAAA;AACAC", [0, 0], [1, 2]],
    ["numbers of several digits", "AA0xBA", [0], [795]],
  ])("are told from %s", (_, mappings, sources, lines) => {
    const read = sourceLines(mappings, mappings.split(";").length);
    expect({ sources: [...read.sources], lines: [...read.lines] }).toEqual({ sources, lines });
  });
});
