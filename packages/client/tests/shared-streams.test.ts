import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlatformClient, type StreamConnectionState, sharedStreams } from "../src/index.ts";

interface Asked {
  streams: { path: string; last_event_id?: string }[];
  /** Answers an event of the stream whose path ends so. */
  send: (ending: string, event: object) => void;
  response: ServerResponse;
}

const run = { pipeline_id: "p", run_id: "r" };
const metrics = "/platform/pipelines/{pipeline_id}/runs/{run_id}/metrics/stream";
const deployment = "/platform/deployments/{deployment_id}/stream";
const at = (id: string) => ({ event_id: id, data: { sequence: Number(id) }, problem: null, ended: false });
const ended = { event_id: null, data: null, problem: null, ended: true };
const refused = (status: number) => ({
  ...{ event_id: null, data: null, ended: false },
  problem: { status, body: { detail: "no", code: "no" }, retry_after_seconds: null },
});

/** A gateway that is told what to answer. */
class ScriptedGateway {
  /** How the connection is answered; undefined: with the stream. */
  refusal: number | undefined;
  open = 0;
  /** Streams that were asked for alone, and what they are answered. */
  readonly alone: string[] = [];
  aloneText = 'id: 8\ndata: {"sequence":8}\n\n';
  readonly #asked: Asked[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #news = Promise.withResolvers<void>();

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next request. */
  async asked(): Promise<Asked> {
    for (;;) {
      const next = this.#asked.shift();
      if (next) return next;
      await this.#news.promise;
      this.#news = Promise.withResolvers();
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") return this.#answerAlone(request, response);
    const { streams } = JSON.parse((await Array.fromAsync(request)).join(""));
    this.open += 1;
    response.once("close", () => {
      this.open -= 1;
    });
    if (this.refusal === undefined) response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    else response.writeHead(this.refusal).end('{"detail":"refused","code":"refused"}');
    const send: Asked["send"] = (ending, event) => {
      const stream = (streams as Asked["streams"]).findIndex(({ path }) => path.endsWith(ending));
      response.write(`data: ${JSON.stringify({ stream, ...event })}\n\n`);
    };
    this.#asked.push({ streams, send, response });
    this.#news.resolve();
  }

  /** A stream that was asked for without the others. */
  #answerAlone({ url = "", headers: { "last-event-id": id } }: IncomingMessage, response: ServerResponse): void {
    this.alone.push(id === undefined ? url : `${url} after ${id}`);
    response.writeHead(200, { "content-type": "text/event-stream" }).end(this.aloneText);
  }
}

let gateway: ScriptedGateway;
let states: StreamConnectionState[];
let shared: ReturnType<typeof sharedStreams>;
beforeEach(async () => {
  gateway = new ScriptedGateway();
  states = [];
  const platform = createPlatformClient({ baseUrl: await gateway.start(), credential: "key", retry: { limit: 0 } });
  shared = sharedStreams(platform, { onState: (state) => states.push(state) });
});
afterEach(() => gateway.close());

const followRun = (signal?: AbortSignal) => shared.events(metrics, { path: run, query: { max_points: 5 } }, signal);
const followDeployment = () => shared.events(deployment, { path: { deployment_id: "d" } });

describe("streams that share a connection", () => {
  it("are asked for together, and each reader gets its own events", async () => {
    const [one, other] = [followRun(), followDeployment()];
    const firsts = Promise.all([one.next(), other.next()]);
    const { streams, send } = await gateway.asked();
    expect(streams).toEqual([
      { path: "/platform/pipelines/p/runs/r/metrics/stream?max_points=5" },
      { path: "/platform/deployments/d/stream" },
    ]);
    send("/deployments/d/stream", { ...at("1"), event_id: null });
    send("max_points=5", at("7"));
    expect((await firsts).map(({ value }) => value)).toEqual([
      { id: "7", data: { sequence: 7 } },
      { id: "", data: { sequence: 1 } },
    ]);
    expect(gateway.open).toBe(1);
    await Promise.all([one.return(), other.return()]);
  });

  it("go on after the last event of each when one is added, on one connection", async () => {
    const one = followRun();
    const first = one.next();
    (await gateway.asked()).send("max_points=5", at("7"));
    await first;
    const other = followDeployment();
    const added = other.next();
    const { streams, send } = await gateway.asked();
    expect(streams.map(({ last_event_id: id }) => id)).toEqual(["7", undefined]);
    send("/d/stream", at("1"));
    await added;
    await expect.poll(() => gateway.open).toBe(1);
    await Promise.all([one.return(), other.return()]);
  });

  it("go on after the last event when the connection breaks, and say meanwhile that it is broken", async () => {
    const events = followRun();
    const first = events.next();
    const { send, response } = await gateway.asked();
    send("max_points=5", at("7"));
    await first;
    response.destroy();
    const second = events.next();
    const again = await gateway.asked();
    expect(again.streams[0]?.last_event_id).toBe("7");
    again.send("max_points=5", at("8"));
    expect((await second).value?.id).toBe("8");
    expect(states).toEqual(["live", "reconnecting", "live"]);
    await events.return();
  });

  it("go on when the platform closes the connection without saying that they have ended", async () => {
    const events = followRun();
    const first = events.next();
    (await gateway.asked()).response.end();
    (await gateway.asked()).send("max_points=5", at("1"));
    expect((await first).value?.id).toBe("1");
    await events.return();
  });

  it("close the connection when no stream is followed, and end by their signal", async () => {
    const stop = new AbortController();
    const events = followRun(stop.signal);
    const first = events.next();
    await gateway.asked();
    stop.abort();
    expect(await first).toEqual({ done: true, value: undefined });
    await expect.poll(() => gateway.open).toBe(0);
  });

  it("end when the platform ends them, and others go on over the same connection", async () => {
    const [one, other] = [followRun(), followDeployment()];
    const pending = [one.next(), other.next()];
    const { send } = await gateway.asked();
    send("max_points=5", ended);
    expect(await pending[0]).toEqual({ done: true, value: undefined });
    send("/d/stream", at("1"));
    expect((await pending[1])?.value?.id).toBe("1");
    await other.return();
  });
});

describe("a stream of them", () => {
  it("that is refused says why, and others go on over the same connection", async () => {
    const [one, other] = [followRun(), followDeployment()];
    const [refusal, next] = [one.next(), other.next()];
    const { send } = await gateway.asked();
    send("max_points=5", refused(403));
    await expect(refusal).rejects.toMatchObject({ name: "PlatformError", status: 403, code: "no" });
    send("/d/stream", at("1"));
    expect((await next).value?.id).toBe("1");
    await other.return();
  });

  it("that the platform cannot answer now is asked for again", async () => {
    const events = followRun();
    const first = events.next();
    (await gateway.asked()).send("max_points=5", refused(503));
    (await gateway.asked()).send("max_points=5", at("1"));
    expect((await first).value?.id).toBe("1");
    await events.return();
  });
});

describe("a connection that is refused", () => {
  it("for good ends all of its streams with why", async () => {
    gateway.refusal = 401;
    await expect(followRun().next()).rejects.toMatchObject({ name: "PlatformError", status: 401, code: "refused" });
  });

  it("because the platform is busy is tried again", async () => {
    gateway.refusal = 503;
    const events = followRun();
    const first = events.next();
    await gateway.asked();
    gateway.refusal = undefined;
    (await gateway.asked()).send("max_points=5", at("1"));
    expect((await first).value?.id).toBe("1");
    await events.return();
  });
});

describe("a platform of an earlier version, which has no such connections,", () => {
  it.each([404, 405])("is asked for each stream alone after %i", async (status) => {
    gateway.refusal = status;
    const events = await Promise.all([Array.fromAsync(followRun()), Array.fromAsync(followDeployment())]);
    const eight = { id: "8", data: { sequence: 8 } };
    expect(events).toEqual([[eight], [eight]]);
    expect(gateway.alone.toSorted()).toEqual([
      "/platform/deployments/d/stream",
      "/platform/pipelines/p/runs/r/metrics/stream?max_points=5",
    ]);
    expect(states).toEqual(["live"]);
  });

  it("is asked from the last event on by a stream that shared a connection before", async () => {
    const events = followRun();
    const first = events.next();
    const { send, response } = await gateway.asked();
    send("max_points=5", at("7"));
    await first;
    gateway.refusal = 404;
    response.destroy();
    expect((await events.next()).value?.id).toBe("8");
    expect(gateway.alone).toEqual(["/platform/pipelines/p/runs/r/metrics/stream?max_points=5 after 7"]);
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(states).toEqual(["live", "reconnecting", "live"]);
  });
});

describe("more streams than a connection may have", () => {
  it("get another connection", async () => {
    const followed = Array.from({ length: 33 }, () => followRun());
    const firsts = followed.map((events) => events.next());
    const asked = [await gateway.asked(), await gateway.asked()];
    expect(asked.map(({ streams }) => streams.length).sort()).toEqual([1, 32]);
    for (const { streams, response } of asked)
      for (const stream of streams.keys()) response.write(`data: ${JSON.stringify({ stream, ...ended })}\n\n`);
    expect((await Promise.all(firsts)).every(({ done }) => done)).toBe(true);
  });
});
