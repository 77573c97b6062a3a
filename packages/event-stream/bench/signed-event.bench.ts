/**
 * Processor time of what an event passes: its headers, its signature, and the consumer's verification.
 *
 *     node packages/event-stream/bench/signed-event.bench.ts [times, default 5,000]
 */
import { serviceKeys } from "@aiplatform/testkit";
import { toHeaders } from "../src/cloud-event.ts";
import { signEvent, signerOfEvent } from "../src/event-signature.ts";
import { completed } from "../tests/open-mesh.ts";

const times = Number(process.argv[2] ?? 5_000);
using keys = serviceKeys("training");
const record = completed("a-run");
const signed = () => {
  const fields = toHeaders(record);
  signEvent(keys, fields, record.data, new Date());
  return fields;
};
const fields = signed();

function measure(name: string, work: () => void): void {
  for (let time = 0; time < times / 10; time++) work();
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time++) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / times;
  }).sort((one, other) => one - other);
  const [min = 0, , median = 0, , max = 0] = rounds;
  process.stdout.write(`${name}: ${median.toFixed(1)} µs (${min.toFixed(1)} to ${max.toFixed(1)})\n`);
}

measure("headers alone", () => void toHeaders(record));
measure("headers and signature", () => void signed());
measure("verification", () => void signerOfEvent(keys, fields, record.data));
