import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type EverythingApi, listed, startEverything, surfaces } from "./everything-api.ts";

const bytes = Buffer.alloc(1_500_000, "0123456789");

/** Bytes without an end but the client's: fetch goes on reading the body of a request that was given up. */
function endless({ signal }: AbortController): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await setImmediate();
      if (signal.aborted) controller.close();
      else controller.enqueue(Buffer.alloc(65_536));
    },
  });
}

describe.each(surfaces)("a body that is passed on as it arrives, over $name", (surface) => {
  let api: EverythingApi;
  beforeAll(async () => {
    api = await startEverything({ ...surface, limits: { bodyBytes: 1_000, bodyTimeoutMs: 300 } });
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  const put = (name: string, body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = {}) =>
    api.fetch(`/files/${name}`, { method: "PUT", body, headers, duplex: "half" });

  it("reaches its service in pieces, whatever its type and size", async () => {
    const answer = await put("plain", bytes, { "content-type": "text/html", "x-note": "a note" });
    const { messages, ...facts } = JSON.parse(await answer.text());
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect([answer.status, facts]).toMatchObject([200, { name: "plain", note: "a note", received: 1_500_000, sha256 }]);
    expect(messages).toBeGreaterThanOrEqual(1 + Math.ceil(bytes.length / (256 * 1024)));
  });

  it("may be empty", async () => {
    const { received, messages } = JSON.parse(await (await put("plain", "")).text());
    expect([received, messages]).toEqual([0, 1]);
  });

  it("has the length that its client says, or none", async () => {
    const said = await put("plain", "four", { "content-length": "4" });
    const unsaid = await put("plain", new Blob(["four"]).stream());
    expect([JSON.parse(await said.text()).length, JSON.parse(await unsaid.text()).length]).toEqual([4, null]);
  });

  it("is not begun when the rest of the request is wrong", async () => {
    const answer = await put("plain", "x", { "x-note": "longer than ten" });
    expect([answer.status, (await listed(answer)).detail[0]?.loc]).toEqual([422, ["header", "X-Note"]]);
  });

  it("is refused when it is encoded, since it is not decoded", async () => {
    expect((await put("plain", "x", { "content-encoding": "gzip" })).status).toBe(415);
  });

  it.each([
    ["refuses it before it is there", "taken", 409],
    ["answers before it is there", "known", 200],
  ])("is not waited for when its service %s", async (_what, name, status) => {
    const answer = await put(name, bytes);
    expect([answer.status, (await answer.text()).length > 0]).toEqual([status, true]);
    expect((await put("plain", "next")).status).toBe(200);
  });

  it("that stops is given up, and its service is told", async () => {
    const before = api.seen.streamsEnded;
    const stopping = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from("begun")),
    });
    const answer = await put("plain", stopping);
    expect([answer.status, JSON.parse(await answer.text()).code]).toEqual([408, "body_timeout"]);
    await vi.waitFor(() => expect(api.seen.streamsEnded).toBe(before + 1));
  });

  it("of a client that has gone is read no further", async () => {
    const [before, read] = [api.seen.streamsEnded, api.seen.ticks];
    const client = new AbortController();
    const sent = api.fetch("/files/plain", {
      method: "PUT",
      body: endless(client),
      duplex: "half",
      signal: client.signal,
    });
    await vi.waitFor(() => expect(api.seen.ticks).toBeGreaterThan(read));
    client.abort();
    await expect(sent).rejects.toThrow();
    await vi.waitFor(() => expect(api.seen.streamsEnded).toBeGreaterThan(before));
  });

  // The transport of these tests holds what its service does not read yet.
  it.runIf(surface.direct)("is read no faster than its service reads it", async () => {
    const read = api.seen.ticks;
    const client = new AbortController();
    let given = 0;
    const body = endless(client).pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          given += piece.length;
          controller.enqueue(piece);
        },
      }),
    );
    const sent = api.fetch("/files/slow", { method: "PUT", body, duplex: "half", signal: client.signal });
    const over = expect(sent).rejects.toThrow();
    await vi.waitFor(() => expect(api.seen.ticks).toBeGreaterThan(read));
    let seen = -1;
    // Until what sockets and buffers hold on the way is full.
    await vi.waitFor(() => {
      const [before, now] = [seen, given];
      seen = now;
      expect(now).toBe(before);
    });
    expect(api.seen.ticks - read).toBeLessThanOrEqual(256 * 1024);
    client.abort();
    await over;
  });
});
