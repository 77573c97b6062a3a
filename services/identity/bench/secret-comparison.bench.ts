/**
 * Whether the time that comparing a secret takes tells where it differs: the same secret against hashes that differ from
 * its own in their first byte and in their last, in random order, as Welch's t of the two times. Above 4.5 the times differ
 * (the threshold of dudect, https://eprint.iacr.org/2016/1123). A comparison that stops at the first difference is measured
 * as well: if its t is not far above, this machine is too noisy to tell anything. Differences of some 20 ns are seen.
 *
 *     node services/identity/bench/secret-comparison.bench.ts [samples, default 200000] [repetitions, default 3]
 */
import { createHmac, randomBytes } from "node:crypto";
import { createSecretHasher, type SecretHasher } from "../src/credentials/secret-hasher.ts";

const samples = Number(process.argv[2] ?? 200_000);
const repetitions = Number(process.argv[3] ?? 3);
/** Samples that are summed up by their median, which the scheduler and the garbage collector hardly move. */
const blockSize = 500;
const threshold = 4.5;

const installationSecret = randomBytes(32).toString("base64url");

/** Stops at the first byte that differs. */
function hastyMatches(secret: string, hash: string): boolean {
  const shown = createHmac("sha256", installationSecret).update(secret, "utf8").digest();
  const wanted = Buffer.from(hash, "base64url");
  return shown.every((byte, index) => byte === wanted[index]);
}

/** The hash with one byte changed. */
function changedAt(hash: string, index: number): string {
  const bytes = Buffer.from(hash, "base64url");
  bytes.writeUInt8(bytes.readUInt8(index) ^ 0xff, index);
  return bytes.toString("base64url");
}

interface Times {
  mean: number;
  variance: number;
  count: number;
}

/** Of the medians of the blocks: single samples depend on those before them, so that their t would be too large. */
function summary(times: Float64Array): Times {
  const medians: number[] = [];
  for (let start = 0; start + blockSize <= times.length; start += blockSize) {
    medians.push(times.slice(start, start + blockSize).sort()[blockSize / 2] ?? Number.NaN);
  }
  const mean = medians.reduce((sum, time) => sum + time, 0) / medians.length;
  const variance = medians.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (medians.length - 1);
  return { mean, variance, count: medians.length };
}

/** Welch's t: the difference of the means in units of its standard error. */
function welch(one: Times, other: Times): number {
  return (one.mean - other.mean) / Math.sqrt(one.variance / one.count + other.variance / other.count);
}

function measure(matches: SecretHasher["matches"]): { first: Times; last: Times } {
  const secret = "aip_0123456789abcdefghijklmnopqrstuvwxyzABC";
  const hash = createSecretHasher(installationSecret).hash(secret);
  const wrong = [changedAt(hash, 0), changedAt(hash, 31)] as const;
  // Made beforehand: growing them would collect garbage while the clock runs.
  const times = [new Float64Array(samples), new Float64Array(samples)] as const;
  const taken: [number, number] = [0, 0];
  for (const byte of randomBytes(samples)) {
    const place = byte & 1 ? 1 : 0;
    const start = process.hrtime.bigint();
    const answer = matches(secret, wrong[place]);
    times[place][taken[place]++] = Number(process.hrtime.bigint() - start);
    if (answer) throw new Error("a wrong hash matched");
  }
  const [first, last] = [times[0].subarray(0, taken[0]), times[1].subarray(0, taken[1])];
  return { first: summary(first), last: summary(last) };
}

const hasher = createSecretHasher(installationSecret);
const variants: [string, SecretHasher["matches"]][] = [
  ["ours", (secret, hash) => hasher.matches(secret, hash)],
  ["stops at the first difference", hastyMatches],
];

for (const [, matches] of variants) measure(matches);
console.log("| comparison | differs in the first byte, ns | in the last, ns | Welch's t | |");
console.log("| --- | ---: | ---: | ---: | --- |");
for (let repetition = 0; repetition < repetitions; repetition++) {
  for (const [name, matches] of variants) {
    const { first, last } = measure(matches);
    const t = welch(last, first);
    const says = Math.abs(t) < threshold ? "no difference" : "differs";
    console.log(`| ${name} | ${first.mean.toFixed(1)} | ${last.mean.toFixed(1)} | ${t.toFixed(2)} | ${says} |`);
  }
}
