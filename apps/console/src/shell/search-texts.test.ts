import { describe, expect, it } from "vitest";
import { searchTexts } from "./search-texts.ts";

describe("the texts of an address", () => {
  it.each([
    [{}, {}],
    [{ filter: "status = active", page: "2" }, { filter: "status = active" }],
    [{ filter: "", order: "name" }, { order: "name" }],
    [{ filter: 7, order: ["name"] }, {}],
  ])("are those that have a name of the page and a value: %j", (search, texts) => {
    expect(searchTexts("filter", "order")(search)).toEqual(texts);
  });
});
