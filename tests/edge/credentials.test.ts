import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Reachable } from "../mesh/rest.ts";
import { filled, operations } from "./described-operations.ts";

let platform: Reachable;
sharedPlatform(({ description }) => {
  platform = description;
});

const guarded = operations
  .filter(({ isPublic }) => !isPublic)
  .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

/** `conventions.slow.ts` has the other conventions of every operation. */
describe("every operation", () => {
  it.each(guarded)("is for no caller without a credential: %s", async (_, operation) => {
    const asked = { method: operation.method, path: filled(operation), ...(operation.hasBody && { body: {} }) };
    for (const [bearer, challenge] of [
      [null, "Bearer"],
      ["nonsense", 'Bearer error="invalid_token"'],
    ] as const) {
      const { status, headers, body } = await ask(platform, { ...asked, bearer });
      expect([status, headers.get("www-authenticate")]).toEqual([401, challenge]);
      expect(Object.keys(body)).toEqual(operation.failure);
    }
  });
});
