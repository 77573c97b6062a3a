import { describe, expect, it } from "vitest";
import { assertUsableSlug, SlugLikeIdError } from "./organisation.ts";

describe("an organisation's slug", () => {
  it.each(["acme", "a", "acme-2", "0190a6c1", "0190a6c1-aaaa-7000-8000"])("may be %s", (slug) => {
    expect(() => assertUsableSlug(slug)).not.toThrow();
  });

  it.each(["0190a6c1-aaaa-7000-8000-0123456789ab"])("may not be mistaken for an id: %s", (slug) => {
    expect(() => assertUsableSlug(slug)).toThrow(SlugLikeIdError);
  });
});
