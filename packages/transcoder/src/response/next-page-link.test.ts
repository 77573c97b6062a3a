import { describe, expect, it } from "vitest";
import { nextPageLink } from "./next-page-link.ts";

describe("the link to the next page", () => {
  it.each([
    ["of a first page", "/roles", "/roles?cursor=n"],
    ["of a path with a slash at its end", "/roles/", "/roles/?cursor=n"],
    ["of an empty query", "/roles?", "/roles?cursor=n"],
    ["of a page in the middle", "/roles?cursor=m", "/roles?cursor=n"],
    ["of a query", "/roles?limit=2&sort=name", "/roles?limit=2&sort=name&cursor=n"],
    ["of a repeated parameter", "/roles?kind=a&cursor=m&kind=b", "/roles?kind=a&kind=b&cursor=n"],
    ["of a parameter without a value", "/roles?deep&x=", "/roles?deep&x=&cursor=n"],
    ["of what is encoded already", "/a%2Fb?x=%26%3D+%C3%BC", "/a%2Fb?x=%26%3D+%C3%BC&cursor=n"],
    ["of a cursor spelled otherwise", "/roles?c%75rsor=m&cursor=l", "/roles?cursor=n"],
    ["of parameters that look like a cursor", "/roles?cursors=1&x=cursor=m", "/roles?cursors=1&x=cursor=m&cursor=n"],
    ["of a query that would end it", '/roles?x=>;rel="prev",<', "/roles?x=%3E;rel=%22prev%22,%3C&cursor=n"],
    ["of bytes that are no ASCII", "/roles?x=\u00fc\u0080#", "/roles?x=%FC%80%23&cursor=n"],
  ])("%s", (_what, url, target) => {
    expect(nextPageLink(url, "n")).toBe(`<${target}>; rel="next"`);
  });

  it("encodes the cursor", () => {
    expect(nextPageLink("/roles", 'a&b="c"> ü')).toBe('</roles?cursor=a%26b%3D%22c%22%3E%20%C3%BC>; rel="next"');
  });
});
