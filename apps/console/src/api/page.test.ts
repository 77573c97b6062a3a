import { describe, expect, it } from "vitest";
import { backoffMs } from "./backoff.ts";
import { nextCursor } from "./page.ts";

describe("the next page of a list", () => {
  it.each([
    [null, undefined],
    ['<https://host/prefix/platform/runs?limit=2&cursor=abc%3D>; rel="next"', "abc="],
    ["</platform/runs?cursor=x>; rel=next", "x"],
    ['<https://host/platform/runs?limit=2>; rel="prev"', undefined],
  ])("is in the Link header: %s", (link, cursor) => {
    expect(nextCursor(link)).toBe(cursor);
  });
});

describe("the pause before a stream is asked for again", () => {
  it.each([
    [0, 500],
    [1, 1_000],
    [3, 4_000],
    [30, 10_000],
  ])("grows with the failures up to ten seconds: %i", (failures, maxMs) => {
    expect([backoffMs(failures, () => 0), backoffMs(failures, () => 1)]).toEqual([maxMs / 2, maxMs]);
  });
});
