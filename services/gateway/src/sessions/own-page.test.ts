import { SessionCookie } from "@aiplatform/caller-identity";
import { describe, expect, it } from "vitest";
import { isOwnPage, sessionCredential } from "./own-page.ts";

const own = "https://platform.example";
const token = `ais_${"a".repeat(43)}`;
const isOwn = (method: string, headers: Record<string, string>) => isOwnPage({ method, headers }, { origin: own });

describe("a write with the cookie", () => {
  const fromOwnPage = { origin: own };
  it.each<[string, Record<string, string>]>([
    ["a page of ours", fromOwnPage],
    ["a page of ours, in a browser that says so", { ...fromOwnPage, "sec-fetch-site": "same-origin" }],
  ])("of %s passes", (_, headers) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) expect(isOwn(method, headers)).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ["nothing that names its origin", {}],
    ["a sandboxed page", { origin: "null" }],
    ["another site", { origin: "https://evil.example" }],
    ["another host of the site", { origin: "https://notebooks.platform.example" }],
    ["another port", { origin: "https://platform.example:8443" }],
    ["the same host without TLS", { origin: "http://platform.example" }],
    ["an origin that begins like ours", { origin: "https://platform.example.evil.example" }],
    ["another origin, as the browser says", { ...fromOwnPage, "sec-fetch-site": "same-site" }],
    ["another site, as the browser says", { ...fromOwnPage, "sec-fetch-site": "cross-site" }],
    ["the address bar", { ...fromOwnPage, "sec-fetch-site": "none" }],
  ])("of %s is refused", (_, headers) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) expect(isOwn(method, headers)).toBe(false);
  });
});

describe("a read with the cookie", () => {
  it.each<[string, Record<string, string>]>([
    ["a browser that says nothing", {}],
    ["a page of ours", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" }],
    ["a stream of events", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" }],
    ["the address bar", { "sec-fetch-site": "none", "sec-fetch-dest": "document" }],
    ["an image in a page of ours", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "image" }],
  ])("for %s passes", (_, headers) => {
    expect(isOwn("GET", headers)).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another host of the site", { "sec-fetch-site": "same-site" }],
    ...["script", "style", "worker", "sharedworker", "serviceworker", "iframe", "frame", "object", "embed", "font"].map(
      (use): [string, Record<string, string>] => [use, { "sec-fetch-site": "same-origin", "sec-fetch-dest": use }],
    ),
  ])("for %s is refused", (_, headers) => {
    expect(isOwn("GET", headers)).toBe(false);
  });
});

describe("the session of a request", () => {
  const secure = SessionCookie.at(own);
  const local = SessionCookie.at("http://127.0.0.1:8080");
  it.each<[string, SessionCookie | undefined, string | undefined, boolean]>([
    ["its cookie", secure, `__Host-aiplatform-session=${token}`, true],
    ["its cookie, among others", secure, `a=1; __Host-aiplatform-session=${token}; b=2`, true],
    ["the cookie of a local installation", local, `aiplatform-session=${token}`, true],
    ["no cookie", secure, undefined, false],
    ["the cookie that any host of the site could set", secure, `aiplatform-session=${token}`, false],
    ["a cookie of another shape", secure, "__Host-aiplatform-session=ais_short", false],
    ["a cookie with an API key", secure, `__Host-aiplatform-session=aip_${"a".repeat(43)}`, false],
    ["a cookie where the installation has no sessions", undefined, `__Host-aiplatform-session=${token}`, false],
  ])("is read from %s: %s", (_, cookie, header, isRead) => {
    const headers = header === undefined ? {} : { cookie: header };
    expect(sessionCredential(headers, cookie)).toEqual(isRead ? { bearer: token, apiKey: "" } : undefined);
  });
});

describe("an address for browsers", () => {
  it.each([
    ["https://platform.example", true],
    ["https://platform.example:8443/", true],
    ["http://127.0.0.1:8080", true],
    ["http://localhost:8080", true],
    ["http://[::1]:8080", true],
    ["http://platform.example", false],
    ["http://127.0.0.1.evil.example", false],
    ["ftp://platform.example", false],
    ["platform.example", false],
  ])("%s keeps sessions: %j", (url, keeps) => {
    expect(SessionCookie.at(url) !== undefined).toBe(keeps);
  });
});
