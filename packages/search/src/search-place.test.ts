import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import { InvalidCursorError } from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
import { behind, comparePlaces, cursorOf, noTime, placeOf } from "./search-place.ts";

const { PIPELINE, RUN, MODEL, DICTIONARY_ENTRY } = SearchKind;
const at = new Date("2026-03-02T09:00:00Z");
const earlier = { created_at: { $lt: at } };

describe("what comes behind a result", () => {
  it.each<[what: string, kind: SearchKind, condition: object]>([
    ["of a kind before its own, was created earlier", PIPELINE, earlier],
    [
      "of its own kind, was created earlier or has a lower id",
      RUN,
      { created_at: { $lte: at }, $or: [earlier, { _id: { $lt: "m" } }] },
    ],
    ["of a kind after its own, may be of the same moment", MODEL, { created_at: { $lte: at } }],
  ])("%s", (_what, kind, condition) => {
    expect(behind({ createdAt: at, kind: RUN, id: "m" }, { kind, hasTime: true })).toEqual(condition);
  });

  it("is everything that has no time, while there is something with a time", () => {
    expect(behind({ createdAt: at, kind: RUN, id: "m" }, { kind: DICTIONARY_ENTRY, hasTime: false })).toEqual({});
    const last = { createdAt: noTime, kind: DICTIONARY_ENTRY, id: "m" };
    expect(behind(last, { kind: DICTIONARY_ENTRY, hasTime: false })).toEqual({ _id: { $lt: "m" } });
    expect(behind({ ...last, kind: DICTIONARY_ENTRY + 1 }, { kind: DICTIONARY_ENTRY, hasTime: false })).toBeUndefined();
  });

  it("is everything before the first", () => {
    expect(behind(placeOf(""), { kind: RUN, hasTime: true })).toEqual({});
  });
});

describe("a cursor of a search", () => {
  it("names a place", () => {
    const place = { createdAt: at, kind: RUN, id: "m" };
    expect(placeOf(cursorOf(place))).toEqual(place);
    expect(() => placeOf("nonsense")).toThrow(InvalidCursorError);
  });

  it("is one of an order by time, kind and id", () => {
    const places = [
      { createdAt: at, kind: PIPELINE, id: "b" },
      { createdAt: at, kind: PIPELINE, id: "a" },
      { createdAt: at, kind: RUN, id: "c" },
      { createdAt: noTime, kind: DICTIONARY_ENTRY, id: "a" },
    ];
    expect(places.toReversed().sort(comparePlaces)).toEqual(places);
  });
});
