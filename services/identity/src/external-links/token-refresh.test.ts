import { describe, expect, it } from "vitest";
import { type ExternalLink, statusAt } from "./external-link.ts";
import { refreshAfter, refreshed, refreshFailed, tokensExpired } from "./token-refresh.ts";

const now = new Date("2026-01-01T12:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

/** A link whose tokens were given now and live so long. */
function linkedFor(seconds: number, more: Partial<ExternalLink> = {}): ExternalLink {
  return {
    id: "link",
    organisationId: "organisation",
    provider: "socialnet",
    secretName: "mine",
    secretDescription: "",
    status: "linked",
    error: undefined,
    memberId: "member",
    scopes: ["read"],
    createdAt: now,
    linkedAt: now,
    tokenExpiresAt: later(seconds),
    refresh: refreshAfter(later(seconds), now),
    revokedAt: undefined,
    attempt: undefined,
    tokens: "sealed tokens",
    finished: undefined,
    revision: 1,
    ...more,
  };
}

describe("the tokens of a link", () => {
  it.each<[string, number, number]>([
    ["of an hour are refreshed five minutes before their end", 3_600, 3_300],
    ["of a minute are refreshed after half of it", 60, 30],
    ["that have ended are refreshed at once", -60, 0],
  ])("%s", (_what, life, at) => {
    expect(refreshAfter(later(life), now)).toEqual({ notBefore: later(at), failures: 0 });
  });

  it("that do not end are never refreshed", () => {
    expect(refreshAfter(undefined, now)).toBeUndefined();
  });
});

describe("a link", () => {
  it("is linked over a token that lives, and expired over one that has ended", () => {
    expect([59, 60].map((at) => statusAt(linkedFor(60), later(at)))).toEqual(["linked", "expired"]);
  });

  it("is linked again by fresh tokens, which are refreshed in their turn", () => {
    const away = refreshFailed(linkedFor(60), "provider_timeout", later(61));
    const given = { tokens: "others", scopes: ["read"], tokenExpiresAt: later(3_661) };
    const fresh = refreshed(away, given, later(61));
    expect(fresh).toMatchObject({ status: "linked", tokens: "others", error: undefined });
    expect(fresh.refresh).toEqual({ notBefore: later(61 + 3_300), failures: 0 });
  });

  it("whose provider does not answer keeps its tokens for a day after their end", () => {
    const away = refreshFailed(linkedFor(60), "provider_unavailable", later(61));
    expect(away).toMatchObject({ status: "linked", tokens: "sealed tokens", error: "provider_unavailable" });
    const dayLater = refreshFailed(away, "provider_unavailable", later(61 + 24 * 3_600));
    expect(dayLater).toMatchObject({ status: "expired", tokens: undefined, error: "provider_unavailable" });
  });

  it("whose refresh is refused keeps nothing to open", () => {
    expect(tokensExpired(linkedFor(60), "refresh_refused")).toMatchObject({
      status: "expired",
      tokens: undefined,
      refresh: undefined,
      error: "refresh_refused",
    });
  });
});
