/**
 * Processor time of a signature and of its verification, for payloads of the size of an event.
 *
 *     node packages/service-keys/bench/signature.bench.ts [--rounds 5]
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { cpuOfCalls } from "../../../bench/harness/cpu-of-calls.ts";
import { keepServiceKeys, ServiceKeys } from "../src/index.ts";

const wholeRound = 5_000;
const sizes = [200, 1_000, 10_000];

export const signature: Bench = {
  title: "A signature and its verification",
  async measure({ rounds, share }) {
    await using home = await mkdtempDisposable(join(tmpdir(), "signature-bench-"));
    using keys = new ServiceKeys(keepServiceKeys(home.path)("training"), { service: "training" });
    const variants = sizes.flatMap((size) => {
      const payload = new Uint8Array(size).fill(7);
      const signed = keys.sign("event", payload);
      return [
        [`sign ${size} bytes`, () => keys.sign("event", payload)] as const,
        [`verify ${size} bytes`, () => keys.verify("event", payload, signed)] as const,
      ];
    });
    return await cpuOfCalls({ rounds, calls: Math.ceil(wholeRound * share) }, Object.fromEntries(variants));
  },
};

if (import.meta.main) await runBench(signature);
