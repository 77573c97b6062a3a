/**
 * Processor time of a signature and of its verification, for payloads of the size of an event.
 *
 *     node packages/service-keys/bench/signature.bench.ts [times, default 5,000]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepServiceKeys, ServiceKeys } from "../src/index.ts";

const times = Number(process.argv[2] ?? 5_000);
const directory = mkdtempSync(join(tmpdir(), "signature-bench-"));
using keys = new ServiceKeys(keepServiceKeys(directory)("training"), { service: "training" });

function measure(work: () => void): number {
  for (let time = 0; time < times / 10; time++) work();
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

for (const size of [200, 1_000, 10_000]) {
  const payload = new Uint8Array(size).fill(7);
  const signature = keys.sign("event", payload);
  const sign = measure(() => void keys.sign("event", payload));
  const verify = measure(() => void keys.verify("event", payload, signature));
  process.stdout.write(`${size} bytes: sign ${sign.toFixed(1)} µs, verify ${verify.toFixed(1)} µs\n`);
}
rmSync(directory, { recursive: true });
