/**
 * Processor time of what an event passes: its headers, its signature, and the consumer's verification.
 *
 *     node packages/event-stream/bench/signed-event.bench.ts [--rounds 5]
 */
import { serviceKeys } from "@aiplatform/testkit";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { cpuOfCalls } from "../../../bench/harness/cpu-of-calls.ts";
import { toHeaders } from "../src/cloud-event.ts";
import { signEvent, signerOfEvent } from "../src/event-signature.ts";
import { completed } from "../tests/open-mesh.ts";

const wholeRound = 5_000;

export const signedEvent: Bench = {
  title: "What an event passes",
  async measure({ rounds, share }) {
    using keys = serviceKeys("training");
    const record = completed("a-run");
    const signed = () => {
      const fields = toHeaders(record);
      signEvent(keys, fields, record.data, new Date());
      return fields;
    };
    const fields = signed();
    return await cpuOfCalls(
      { rounds, calls: Math.ceil(wholeRound * share) },
      {
        "headers alone": () => toHeaders(record),
        "headers and signature": signed,
        verification: () => signerOfEvent(keys, fields, record.data),
      },
    );
  },
};

if (import.meta.main) await runBench(signedEvent);
