import { describe, expect, it } from "vitest";
import {
  attemptEnd,
  begun,
  claimed,
  type ExternalLink,
  failed,
  holdsName,
  type LinkAttempt,
  type LinkStatus,
  linked,
  overtaken,
  revoked,
  statusAt,
} from "./external-link.ts";

const now = new Date("2026-01-01T12:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

const attempt: LinkAttempt = {
  stateHash: "state",
  verifier: "sealed",
  expiresAt: attemptEnd(now),
  memberId: "member",
  credentialId: "credential",
  claimedUntil: undefined,
};

function linkThatIs(status: LinkStatus, more: Partial<ExternalLink> = {}): ExternalLink {
  return {
    id: "link",
    organisationId: "organisation",
    provider: "socialnet",
    secretName: "mine",
    secretDescription: "",
    status,
    error: undefined,
    memberId: "member",
    scopes: [],
    createdAt: now,
    linkedAt: undefined,
    tokenExpiresAt: undefined,
    refresh: undefined,
    revokedAt: undefined,
    attempt: status === "pending" ? attempt : undefined,
    tokens: status === "linked" ? "sealed tokens" : undefined,
    finished: undefined,
    revision: 1,
    ...more,
  };
}

const given = { tokens: "new sealed tokens", scopes: ["profile"], tokenExpiresAt: undefined, codeHash: "code" };
const statuses: LinkStatus[] = ["pending", "linked", "failed", "expired", "revoked"];

describe("where a link stands", () => {
  it("is expired when no browser came back for 15 minutes", () => {
    expect(statusAt(linkThatIs("pending"), later(15 * 60 - 1))).toBe("pending");
    expect(statusAt(linkThatIs("pending"), later(15 * 60))).toBe("expired");
  });

  it.each(statuses.slice(1))("stays %s however long", (status) => {
    expect(statusAt(linkThatIs(status), later(1_000_000))).toBe(status);
  });

  it("holds its name while it is pending or linked", () => {
    expect(statuses.filter((status) => holdsName(linkThatIs(status)))).toEqual(["pending", "linked"]);
  });
});

describe("what an attempt leads to", () => {
  it.each<[string, LinkStatus, LinkStatus, LinkStatus]>([
    ["a first one", "pending", "linked", "failed"],
    ["one that links again", "linked", "linked", "linked"],
  ])("%s", (_what, before, afterSuccess, afterFailure) => {
    const link = begun(linkThatIs(before), attempt, "why");
    const success = linked(link, attempt, given, now);
    expect(success).toMatchObject({ status: afterSuccess, tokens: given.tokens, linkedAt: now, attempt: undefined });
    expect(success.finished).toEqual({ stateHash: "state", codeHash: "code" });
    const failure = failed(link, "code_refused");
    expect(failure).toMatchObject({ status: afterFailure, error: "code_refused", attempt: undefined });
    // Nothing that was there is lost by trying again.
    expect(failure.tokens).toBe(link.tokens);
  });

  it("is the end of a pending link whose name is taken over", () => {
    expect(overtaken(linkThatIs("pending"))).toMatchObject({ status: "expired", attempt: undefined });
  });
});

describe("claiming the exchange", () => {
  it("is for one at a time, and runs out with the process that had it", () => {
    const taken = claimed(linkThatIs("pending"), now);
    expect(taken?.attempt?.claimedUntil).toEqual(later(15));
    expect(taken && claimed(taken, later(14))).toBeUndefined();
    expect(taken && claimed(taken, later(15))?.attempt?.claimedUntil).toEqual(later(30));
  });

  it("is over with the attempt", () => {
    expect(claimed(linkThatIs("pending"), later(15 * 60))).toBeUndefined();
    expect(claimed(linkThatIs("failed"), now)).toBeUndefined();
  });
});

describe("revoking", () => {
  it.each(["pending", "linked"] as const)("ends a link that is %s, and leaves nothing to open", (status) => {
    expect(revoked(linkThatIs(status), now)).toMatchObject({
      status: "revoked",
      revokedAt: now,
      tokens: undefined,
      attempt: undefined,
      finished: undefined,
    });
  });

  it.each(["failed", "expired", "revoked"] as const)("changes nothing of one that is %s", (status) => {
    expect(revoked(linkThatIs(status), now)).toBeUndefined();
  });

  it("changes nothing of one that no browser came back to", () => {
    expect(revoked(linkThatIs("pending"), later(15 * 60))).toBeUndefined();
  });
});
