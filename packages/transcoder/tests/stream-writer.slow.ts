import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpError } from "../src/index.ts";
import { type EverythingApi, forms, startEverything } from "./everything-api.ts";

describe.each(forms)("over $form", ({ form }) => {
  let api: EverythingApi;
  beforeAll(async () => {
    api = await startEverything({ form });
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  describe("a stream", () => {
    it("is lines of JSON by default", async () => {
      const response = await api.fetch(`/counts/2`);
      expect(response.headers.get("content-type")).toBe("application/x-ndjson");
      expect(response.headers.get("x-accel-buffering")).toBe("no");
      expect(await response.text()).toBe(
        '{"tick":{"number":1},"note":{"a": 1}}\n{"tick":{"number":2},"note":{"a": 1}}\n',
      );
    });

    it("is events with ids when they are asked for, and goes on after the last one", async () => {
      const headers = { accept: "text/event-stream", "last-event-id": "2" };
      const response = await api.fetch(`/counts/3`, { headers });
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      expect(await response.text()).toBe('id: 3\ndata: {"tick":{"number":3},"note":{"a": 1}}\n\n');
    });

    it("is begun for HEAD, so that it is answered like a GET, and given up at once", async () => {
      const before = api.seen.streamsEnded;
      const response = await api.fetch(`/counts/0`, { method: "HEAD" });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
      while (api.seen.streamsEnded === before) await wait(5);
      const refused = await api.fetch(`/counts/none`, { method: "HEAD" });
      expect([refused.status, await refused.text()]).toEqual([422, ""]);
    });

    it("says what broke it", async () => {
      const lines = await (await api.fetch(`/counts/3?fail_after=1`)).text();
      expect(lines.split("\n")[1]).toBe('{"error":{"detail":"Temporarily unavailable","code":"unavailable"}}');
      const headers = { accept: "text/event-stream" };
      const events = await (await api.fetch(`/counts/3?fail_after=1`, { headers })).text();
      expect(events).toContain('event: error\ndata: {"detail":"Temporarily unavailable","code":"unavailable"}\n\n');
    });

    it("is cancelled when the client goes", async () => {
      const before = api.seen.streamsEnded;
      const client = new AbortController();
      const response = await api.fetch(`/counts/0`, { signal: client.signal });
      expect(response.status).toBe(200);
      client.abort();
      while (api.seen.streamsEnded === before) await wait(5);
      expect(api.seen.streamsEnded).toBe(before + 1);
    });
  });

  describe.each([
    ["events", { accept: "text/event-stream" }, 'event: error\ndata: {"detail":"Moving","code":"reconnect"}\n\n'],
    ["lines", {}, '{"error":{"detail":"Moving","code":"reconnect"}}\n'],
  ])("a stream of %s that is cancelled with an answer for its client", (_, headers, end) => {
    it("ends with that answer, which is no failure of the call", async () => {
      const moving = new AbortController();
      const prepare = () => Promise.resolve({ headers: new Headers(), signal: moving.signal });
      await using other = await startEverything({ form, prepare });
      const response = await other.fetch("/counts/0", { headers });
      expect(response.status).toBe(200);
      moving.abort(new HttpError(503, "Moving", "reconnect"));
      expect((await response.text()).endsWith(end)).toBe(true);
      expect(other.failures).toEqual([]);
    });
  });
});
