// Microseconds that admission costs a request, and the load shedder: node services/gateway/bench/admission.bench.ts
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createEarlyRefusal } from "../src/admission/early-refusal.ts";
import { createLoadShedder } from "../src/admission/load-shedder.ts";
import { rateLimitError } from "../src/admission/rate-limit-error.ts";
import { rateLimitHeaderWriter } from "../src/admission/rate-limit-headers.ts";
import { createRequestLimiter } from "../src/admission/request-limiter.ts";
import { refusalAnswer } from "../src/rpc/refusal-answer.ts";

const rounds = 7;
const generous = {
  requestsPerSecond: 1e9,
  organisationConcurrency: 1_000,
  totalConcurrency: 1_000,
  anonymousPerMinute: 1e9,
};

/** Microseconds of processor time for each of many, the median of the rounds with the least and the greatest. */
async function measure(name: string, one: (index: number) => unknown, requests = 200_000): Promise<void> {
  const times: number[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const before = process.cpuUsage();
    for (let index = 0; index < requests; index += 1) await one(index);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / requests);
  }
  times.sort((a, b) => a - b);
  const [least, middle, most] = [times[0], times[rounds >> 1], times.at(-1)].map((us = 0) => us.toFixed(2));
  process.stdout.write(`${name.padEnd(44)} ${middle} [${least}-${most}] us\n`);
}

const organisations = Array.from({ length: 50 }, (_, index) => `organisation-${index}`);
const nameOf = (index: number) => organisations[index % organisations.length] ?? "";
const limiter = createRequestLimiter(generous);
const full = createRequestLimiter({ ...generous, calls: { initial: 1, min: 1, max: 1, slackMs: 1 } });
const call = { upstream: "training", operation: "GET /runs" } as const;
await full.acquire("organisation-0", undefined, call);

await measure("nothing but a promise", async () => {});
await measure("a permit that is the organisation's, and back", async (index) =>
  (await limiter.acquire(nameOf(index)))(),
);
await measure("a call of a service, and back", async (index) =>
  (await limiter.acquire(nameOf(index), undefined, call))(),
);
await measure("a call that is refused", () => full.acquire("organisation-0", undefined, call).catch(() => {}));

const answers = {
  RATE_LIMITED: refusalAnswer(rateLimitError("RATE_LIMITED")),
  OVERLOADED: refusalAnswer(rateLimitError("OVERLOADED")),
};
const shedder = createLoadShedder({
  delay: { isOverloaded: false },
  overloaded: answers.OVERLOADED,
  shed: () => {},
});
const request = new IncomingMessage(new Socket());
const response = new ServerResponse(request);
request.headers = { authorization: "Bearer 0123456789abcdef0123456789abcdef" };
await measure("the load shedder, on time", () => shedder.refuse(request, response));

const target = {
  path: "/runs",
  method: undefined,
  isPublic: false,
  takesApiKey: false,
  call: { upstream: "training", operation: "GET /runs" },
} as const;
const early = ({ preview }: typeof limiter) =>
  createEarlyRefusal({
    entryPoints: [{ targetOf: () => target }],
    preview,
    known: () => ({
      organisationId: "organisation-0",
      permissions: new Set(),
      credentialId: "key",
      expiresAt: new Date(8e15),
      signedContext: "",
    }),
    answers,
    writeRateLimitHeaders: rateLimitHeaderWriter(1),
    refused: () => {},
  });
const [idle, busy] = [early(limiter), early(full)];
await measure("an early look while nothing is refused", () => idle.refuse(request, response));
await measure("an early refusal with its answer", () => busy.refuse(request, new ServerResponse(request)), 5_000);
