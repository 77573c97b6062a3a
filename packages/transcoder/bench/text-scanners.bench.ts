/**
 * Microseconds that reading one value from a text costs, for the texts that requests usually hold and for the longest that
 * a body can hold.
 *
 * Run by hand: `node packages/transcoder/bench/text-scanners.bench.ts`.
 */
import { readDateTime } from "../src/scalars/date-time.ts";
import { readFloatText, readIntegerText } from "../src/scalars/number.ts";
import { readUuid } from "../src/scalars/uuid.ts";

const mebibyte = 1_048_576;
const rounds = 7;
const readers = { readIntegerText, readFloatText, readUuid, readDateTime };
const usual: readonly (readonly [keyof typeof readers, string])[] = [
  ["readIntegerText", "25"],
  ["readIntegerText", "-1048576"],
  ["readFloatText", "0.001"],
  ["readFloatText", " 0.5 "],
  ["readUuid", "3fa85f64-5717-4562-b3fc-2c963f66afa6"],
  ["readUuid", "3FA85F6457174562B3FC2C963F66AFA6"],
  ["readDateTime", "2026-09-01T12:00:00.123456Z"],
];
const longest = [`1${" ".repeat(mebibyte - 2)}x`, "0".repeat(mebibyte), "-".repeat(mebibyte), "_".repeat(mebibyte)];

/** The least of some rounds: what else runs on the machine only adds. */
function microseconds(work: () => unknown, times: number): number {
  const taken = Array.from({ length: rounds }, () => {
    const started = performance.now();
    for (let left = times; left > 0; left--) work();
    return ((performance.now() - started) / times) * 1000;
  });
  return Math.min(...taken);
}

for (const [name, text] of usual) {
  const taken = microseconds(() => readers[name](text), 200_000);
  console.log(`${name}(${JSON.stringify(text)}): ${taken.toFixed(3)} µs`);
}
for (const text of longest) {
  for (const [name, read] of Object.entries(readers)) {
    const taken = microseconds(() => read(text), 1);
    console.log(`${name}("${text.slice(0, 3)}…"), 1 MiB: ${taken.toFixed(0)} µs`);
  }
}
