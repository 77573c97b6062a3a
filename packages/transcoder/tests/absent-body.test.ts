import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EverythingApi, forms, listed, startEverything } from "./everything-api.ts";

const id = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

describe.each(forms)("over $form", ({ form }) => {
  let api: EverythingApi;

  beforeAll(async () => {
    api = await startEverything({ form });
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  describe("a POST without a body was refused although every field is optional", () => {
    it.each([undefined, "{}", "null"])("is answered like one of an empty object: %s", async (body) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, ...(body ? { body } : {}) };
      const answer = await api.fetch(`/names/`, init);
      expect([answer.status, await answer.json()]).toEqual([201, { name: "" }]);
    });

    it("is no reason to take a PUT without one", async () => {
      const answer = await api.fetch(`/everything/${id}`, { method: "PUT" });
      expect([answer.status, (await listed(answer)).detail]).toMatchObject([
        422,
        [{ type: "missing", loc: ["body"], msg: "Field required", input: null }],
      ]);
    });
  });
});
