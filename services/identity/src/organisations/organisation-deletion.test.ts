import { describe, expect, it } from "vitest";
import type { Organisation } from "./organisation.ts";
import {
  assertConfirmed,
  installedServices,
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

describe("the services of an installation", () => {
  it.each<[knows: PurgingService[], expected: PurgingService[]]>([
    [
      ["content", "data", "deployments", "training"],
      ["content", "data", "deployments", "training"],
    ],
    [
      ["content", "deployments", "training"],
      ["content", "deployments", "training"],
    ],
    [["data"], ["content", "data", "deployments", "training"]],
    [[], ["content", "deployments", "training"]],
  ])("whose keys are those of %j are %j", (known, expected) => {
    expect(installedServices((service) => known.includes(service))).toEqual(expected);
  });
});

describe("an organisation", () => {
  const without: PurgingService[] = ["content", "deployments", "training"];
  it.each<[purged: PurgingService[], installed: PurgingService[], expected: boolean]>([
    [[], without, false],
    [["content", "training"], without, false],
    [["content", "deployments", "training"], without, true],
    [["content", "deployments", "training"], [...without, "data"], false],
    [["content", "data", "deployments", "training"], [...without, "data"], true],
    [["content", "data", "deployments", "training"], without, true],
  ])("that %j of %j have purged: is purged everywhere but in identity: %s", (services, installed, expected) => {
    const purgedAt = Object.fromEntries(services.map((service) => [service, at]));
    expect(isPurgedElsewhere({ purgedAt }, installed)).toBe(expected);
  });
});

describe("the service that has purged", () => {
  it.each([
    ["aiplatform.training.organisation.purged.v1", "training"],
    ["aiplatform.content.organisation.purged.v1", "content"],
    ["aiplatform.data.organisation.purged.v1", "data"],
    ["aiplatform.identity.organisation.purged.v1", undefined],
  ])("by the event %s is %s", (type, service) => {
    expect(purgingServiceOf(type)).toBe(service);
  });
});
