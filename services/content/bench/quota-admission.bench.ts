/**
 * What the quota costs a create: the transaction that makes an e-mail draft, and the part of it that admits the draft, far from
 * the limit and near it.
 *
 *     node services/content/bench/quota-admission.bench.ts [rounds, default 2000]
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientSession, Outbox, withTransaction } from "@aiplatform/document-store";
import { startInfra } from "@aiplatform/local-platform";
import { Quotas, type UsageReader } from "@aiplatform/quotas";
import type { ContentQuotas } from "../src/content-quotas.ts";
import { createEmailDraft } from "../src/email-drafts/create-email-draft.ts";
import { createStores } from "../src/stores.ts";
import { ContentRig } from "../tests/content-rig.ts";

const rounds = Number(process.argv[2] ?? 2_000);
/** Drafts that an organisation has: what is counted. */
const draftsEach = 20;
const directory = await mkdtemp(join(tmpdir(), "quota-bench-"));
await using parts = new AsyncDisposableStack();
parts.defer(() => rm(directory, { recursive: true, force: true }));
const { mongodbUri, natsUrl, stop } = await startInfra({ directory });
parts.defer(() => stop());
process.env["TEST_MONGODB_URI"] = mongodbUri;
process.env["TEST_NATS_URL"] = natsUrl;
const { store } = parts.use(await ContentRig.start());
const stores = createStores(store);
const outbox = new Outbox(store, { cause: () => undefined });

interface Times {
  total: number;
  admission: number;
  count: number;
}

let times: Times = { total: 0, admission: 0, count: 0 };
async function timed<R>(part: keyof Times, work: () => Promise<R>): Promise<R> {
  const startedAt = performance.now();
  const result = await work();
  times[part] += performance.now() - startedAt;
  return result;
}

/** Makes drafts under a limit, and answers how long the parts of each took, ms. */
function creator(email_drafts: number): (organisationId: string) => Promise<Times> {
  const usage: UsageReader = (id, session) => timed("count", () => stores.emailDrafts.countUnsent(id, session));
  const config = { QUOTAS: { email_drafts } };
  const counting = new Quotas<"email_drafts">(store, { config, usage: { email_drafts: usage } });
  const quotas: Pick<ContentQuotas, "admit"> = {
    admit: (...asked) => timed("admission", () => counting.admit(...asked)),
  };
  const dependencies = { ...stores, quotas, outbox, clock: () => new Date(), newId: () => randomUUID() };
  const author = { kind: "person", memberId: randomUUID() } as const;
  return async (organisationId) => {
    times = { total: 0, admission: 0, count: 0 };
    const wanted = { organisationId, author, subject: "News", text: "Hello", html: "", recipientMemberIds: [] };
    const work = (session: ClientSession) => createEmailDraft(dependencies, wanted, session);
    await timed("total", () => withTransaction(store, work));
    return times;
  };
}

const creators = { "far from the limit": creator(10_000), "near the limit": creator(50) };
const measured = new Map<string, Times[]>();
// The first ones warm everything up.
for (let round = -draftsEach; round < rounds; round += draftsEach) {
  const organisations = Object.entries(creators).map(([what, create]) => ({ what, create, id: randomUUID() }));
  for (let count = 0; count < draftsEach; count++) {
    for (const { what, create, id } of organisations) {
      const taken = await create(id);
      if (round >= 0) measured.set(what, [...(measured.get(what) ?? []), taken]);
    }
  }
}

console.log(
  `${"p50, µs".padEnd(22)}transaction   admission   count   reading and locking the limits   (${rounds} rounds)`,
);
for (const [what, taken] of measured) {
  const median = (of: (each: Times) => number) => {
    const sorted = taken.map(of).toSorted((one, other) => one - other);
    return String(Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 1_000));
  };
  const columns = [
    median(({ total }) => total).padStart(11),
    median(({ admission }) => admission).padStart(12),
    median(({ count }) => count).padStart(8),
    median(({ admission, count }) => admission - count).padStart(33),
  ];
  console.log(`${what.padEnd(22)}${columns.join("")}`);
}
