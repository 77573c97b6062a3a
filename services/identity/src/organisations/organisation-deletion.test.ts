import { describe, expect, it } from "vitest";
import type { Organisation } from "./organisation.ts";
import {
  assertConfirmed,
  isPurgedElsewhere,
  type PurgingService,
  purgingServiceOf,
  SlugNotConfirmedError,
} from "./organisation-deletion.ts";

const at = new Date("2026-01-01T00:00:00Z");
const organisation = (state: Organisation["state"], slug: string): Organisation => ({
  ...{ id: "0190a6c1-aaaa-7000-8000-0123456789ab", name: "Acme", createdAt: at, stateRevision: 2 },
  ...{ state, slug },
});

describe("the confirmation of a deletion", () => {
  it.each(["suspended", "deleting"] as const)("is the slug of an organisation that is %s", (state) => {
    expect(() => assertConfirmed(organisation(state, "acme"), "acme")).not.toThrow();
    for (const other of ["Acme", "acme ", "globex"]) {
      expect(() => assertConfirmed(organisation(state, "acme"), other)).toThrow(SlugNotConfirmedError);
    }
  });

  it("is any slug once the organisation is deleted, and has none", () => {
    expect(() => assertConfirmed(organisation("deleted", ""), "acme")).not.toThrow();
  });
});

describe("an organisation", () => {
  it.each<[PurgingService[], boolean]>([
    [[], false],
    [["content", "training"], false],
    [["content", "deployments", "training"], true],
  ])("that %j have purged: is purged everywhere but in identity: %s", (services, expected) => {
    const purgedAt = Object.fromEntries(services.map((service) => [service, at]));
    expect(isPurgedElsewhere({ purgedAt })).toBe(expected);
  });
});

describe("the service that has purged", () => {
  it.each([
    ["aiplatform.training.organisation.purged.v1", "training"],
    ["aiplatform.content.organisation.purged.v1", "content"],
    ["aiplatform.identity.organisation.purged.v1", undefined],
  ])("by the event %s is %s", (type, service) => {
    expect(purgingServiceOf(type)).toBe(service);
  });
});
