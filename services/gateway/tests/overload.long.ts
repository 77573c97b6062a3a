import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { rateLimitError } from "@aiplatform/caller-identity";
import { LoopDelay } from "@aiplatform/service-host";
import { listenOnLoopback } from "@aiplatform/testkit";
import { writeError } from "@aiplatform/transcoder";
import { afterEach, describe, expect, it } from "vitest";
import { createLoadShedder } from "../src/admission/load-shedder.ts";
import { createRequestLimiter } from "../src/admission/request-limiter.ts";
import { createEdgeServer, type EdgeServer, stopEdgeServer } from "../src/edge/server.ts";
import { refusalAnswer } from "../src/rpc/refusal-answer.ts";

let server: EdgeServer | undefined;
let loop: LoopDelay | undefined;

afterEach(async () => {
  loop?.close();
  if (server) await stopEdgeServer(server, 0);
});

async function serve(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createEdgeServer(listener);
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

/** A shorter time than a real gateway has: every turn of an answer costs the test as long as it lasts. */
const busyMs = 120;
const limits = { targetMs: 40, intervalMs: 250 };

/** Keeps the event loop busy for `ms` of every turn until told to stop. */
function keepBusy(ms: number): () => Promise<void> {
  let isOver = false;
  const busy = (async () => {
    while (!isOver) {
      const until = performance.now() + ms;
      while (performance.now() < until);
      await turn();
    }
  })();
  return () => {
    isOver = true;
    return busy;
  };
}

describe("a gateway whose event loop is late turn after turn", () => {
  async function startGuarded(isIdle?: () => boolean) {
    let shed = 0;
    let served = 0;
    loop = new LoopDelay(limits);
    const shedder = createLoadShedder({
      delay: loop,
      overloaded: refusalAnswer(rateLimitError("OVERLOADED")),
      shed: () => {
        shed += 1;
      },
      ...(isIdle ? { isIdle } : {}),
    });
    const url = await serve((request, response) => {
      if (shedder.refuse(request, response)) return;
      served += 1;
      response.end("served");
    });
    return { url, delay: loop, counts: () => ({ shed, served }) };
  }

  const untilOverloaded = async (delay: LoopDelay) => {
    while (!delay.isOverloaded) await turn();
  };
  const ask = (url: string, key: string) =>
    fetch(url, { method: "POST", body: "{}", headers: { authorization: `Bearer ${key}` } });

  it("answers 503 with Retry-After before anything is done, and serves again once the loop is on time", async () => {
    const { url, delay: loopDelay, counts } = await startGuarded();
    const stop = keepBusy(busyMs);
    await untilOverloaded(loopDelay);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url, "noisy")));
    await stop();
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual(answers.map(() => "1"));
    expect(await answers[0]?.json()).toEqual({
      detail: "Temporarily unavailable",
      code: "overloaded",
    });
    expect(counts()).toEqual({ shed: 20, served: 0 });
    while (loopDelay.isOverloaded) await delay(10);
    expect((await ask(url, "noisy")).status).toBe(200);
  });

  it("answers a call of Connect or gRPC-Web in its own form, with Retry-After", async () => {
    const { url, delay: loopDelay } = await startGuarded();
    const stop = keepBusy(busyMs);
    await untilOverloaded(loopDelay);
    const call = (type: string) =>
      fetch(`${url}/aiplatform.training.v1.RunService/ListRuns`, {
        method: "POST",
        body: "{}",
        headers: { authorization: "Bearer noisy", "content-type": type },
      });
    await Promise.all(Array.from({ length: 20 }, () => call("application/json")));
    const [unary, stream, web] = await Promise.all(
      ["application/json", "application/connect+json", "application/grpc-web+proto"].map(call),
    );
    await stop();
    expect([unary?.status, unary?.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await unary?.json()).toMatchObject({ code: "unavailable" });
    expect([stream?.status, stream?.headers.get("retry-after")]).toEqual([200, "1"]);
    expect(await stream?.text()).toContain('"code":"unavailable"');
    expect([web?.status, web?.headers.get("grpc-status"), web?.headers.get("retry-after")]).toEqual([200, "14", "1"]);
  });

  it("goes on to serve while so little is under way that services would have nothing to do", async () => {
    const { url, delay: loopDelay, counts } = await startGuarded(() => true);
    const stop = keepBusy(busyMs);
    await untilOverloaded(loopDelay);
    const answer = await ask(url, "noisy");
    await stop();
    expect([answer.status, counts().shed]).toEqual([200, 0]);
  });

  it("goes on to serve a caller that asks for little beside one that asks for much", async () => {
    const { url, delay: loopDelay } = await startGuarded();
    const stop = keepBusy(busyMs);
    await untilOverloaded(loopDelay);
    const noisy = Array.from({ length: 40 }, () => ask(url, "noisy"));
    await Promise.all(noisy.slice(0, 10));
    const quiet = await ask(url, "quiet");
    await Promise.all(noisy);
    await stop();
    expect(quiet.status).toBe(200);
  });
});

describe("an organisation that asks for far more than a service can do", () => {
  it("is refused with 503, and another that asks for little never is", async () => {
    const limiter = createRequestLimiter({
      requestsPerSecond: 1_000_000,
      organisationConcurrency: 1_000,
      totalConcurrency: 1_000,
      anonymousPerMinute: 1,
      calls: { initial: 16, min: 4, max: 64, slackMs: 20 },
    });
    let queue = Promise.resolve<unknown>(undefined);
    const url = await serve(async (request, response) => {
      try {
        const call = { upstream: "training", operation: "GET /" } as const;
        const release = await limiter.acquire(request.headers.authorization ?? "", call);
        queue = queue.then(() => delay(2));
        await queue;
        response.end();
        release();
      } catch (error) {
        writeError(request, response, error, { requestId: "r" });
      }
    });
    const ask = async (authorization: string) => {
      const answer = await fetch(url, { headers: { authorization } });
      await answer.arrayBuffer();
      return answer.status;
    };
    let isOver = false;
    const statuses: number[] = [];
    const noisy = Array.from({ length: 40 }, async () => {
      while (!isOver) statuses.push(await ask("noisy"));
    });
    const quiet: number[] = [];
    for (let count = 0; count < 15; count += 1) quiet.push(await ask("quiet"));
    const limitUnderLoad = limiter.callLimits.get("training")?.limit;
    isOver = true;
    await Promise.all(noisy);
    expect(quiet).toEqual(quiet.map(() => 200));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(limitUnderLoad).toBeLessThan(16);
    expect(limiter.callLimits.get("training")?.limit).toBe(16);
  });
});
