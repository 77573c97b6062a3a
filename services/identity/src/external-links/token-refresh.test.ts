import { describe, expect, it } from "vitest";
import { type ExternalLink, statusAt } from "./external-link.ts";
import { refreshAfter, refreshClaimed, refreshed, refreshPostponed, tokensExpired } from "./token-refresh.ts";

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
  it.each<[string, number, number, boolean]>([
    ["of an hour are left alone", 3_600, 3_299, false],
    ["of an hour are refreshed five minutes before their end", 3_600, 3_300, true],
    ["of a minute are left alone", 60, 29, false],
    ["of a minute are refreshed after half of it", 60, 30, true],
    ["that have ended are refreshed", 60, 3_600, true],
  ])("%s", (_what, life, at, isDue) => {
    expect(refreshClaimed(linkedFor(life), later(at)) !== undefined).toBe(isDue);
  });

  it("are refreshed by one replica at a time", () => {
    const claimed = refreshClaimed(linkedFor(60), later(30));
    expect(claimed && refreshClaimed(claimed, later(44))).toBeUndefined();
    expect(claimed && refreshClaimed(claimed, later(45))).toBeDefined();
  });

  it("that do not end are never refreshed", () => {
    expect(refreshAfter(undefined, now)).toBeUndefined();
    expect(refreshClaimed(linkedFor(60, { tokenExpiresAt: undefined }), later(1_000_000))).toBeUndefined();
  });

  it("are refreshed too where the link is of an earlier version, which kept no time for it", () => {
    expect(refreshClaimed(linkedFor(3_600, { refresh: undefined }), later(3_300))).toBeDefined();
  });
});

describe("a link", () => {
  it("is linked over a token that lives, and expired over one that has ended", () => {
    expect([59, 60].map((at) => statusAt(linkedFor(60), later(at)))).toEqual(["linked", "expired"]);
  });

  it("is linked again by fresh tokens, which are refreshed in their turn", () => {
    const away = refreshPostponed(linkedFor(60), "provider_timeout", later(61));
    const given = { tokens: "others", scopes: ["read"], tokenExpiresAt: later(3_661) };
    const fresh = refreshed(away, given, later(61));
    expect(fresh).toMatchObject({ status: "linked", tokens: "others", error: undefined });
    expect(fresh.refresh).toEqual({ notBefore: later(61 + 1_800), failures: 0 });
  });

  it("whose provider does not answer keeps its tokens for a day after their end", () => {
    const away = refreshPostponed(linkedFor(60), "provider_unavailable", later(61));
    expect(away).toMatchObject({ status: "linked", tokens: "sealed tokens", error: "provider_unavailable" });
    expect(away.refresh?.failures).toBe(1);
    expect(away.refresh?.notBefore.getTime()).toBeGreaterThan(later(61).getTime());
    const dayLater = refreshPostponed(away, "provider_unavailable", later(61 + 24 * 3_600));
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
