// What TLS to instances costs a prediction: through the gateway's edge to one instance without and one with a certificate,
// interleaved. Microseconds until the answer, the middle of all and the best of rounds, and processor time of the gateway's side.
//   node services/gateway/bench/prediction-hop.bench.ts [rounds=9] [calls=300]
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { CertificateAuthority, writeCertificate } from "@aiplatform/testkit/certificate-authority";
import { startHandler } from "../../../packages/serving-runtime/tests/runtime-process.ts";
import { openInstanceTrust } from "../src/predictions/instance-trust.ts";
import { type PredictionRig, startPredictionRig, target } from "../tests/prediction-proxy-rig.ts";

const [rounds = 9, calls = 300] = process.argv.slice(2).map(Number);
const serverName = "serving-instance";
const handler = "export default (input) => input.length;";
const asked = {
  method: "POST",
  headers: { authorization: "Bearer good", "content-type": "application/json" },
  body: JSON.stringify({ input: "x".repeat(1_000) }),
};

await using parts = new AsyncDisposableStack();
const authority = await CertificateAuthority.create("instances");
setDefaultCACertificates([...getCACertificates("default"), authority.pem]);
const home = parts.use(await mkdtempDisposable(join(tmpdir(), "prediction-hop-"))).path;
const certificateDirectory = join(home, "certificate");
const issued = await authority.issue({ hosts: [serverName, "127.0.0.1"] });
await writeCertificate(certificateDirectory, issued, authority.pem);
const caFile = join(home, "ca.crt");
await writeFile(caFile, authority.pem);
const secure = parts.use(await startHandler(handler, { certificateDirectory }));
const plain = parts.use(await startHandler(handler));
const trust = openInstanceTrust({ SERVING_CA_FILE: caFile, SERVING_TLS: "accept-plain" });

interface Way {
  readonly name: string;
  readonly rig: PredictionRig;
  readonly times: number[];
  readonly middles: number[];
  readonly processor: number[];
}

async function wayTo(name: string, url: string, serverName: string): Promise<Way> {
  const rig = parts.use(await startPredictionRig([target(url, { serverName })], trust));
  rig.route.validMs = 3_600_000;
  return { name, rig, times: [], middles: [], processor: [] };
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** So many predictions, one after the other. */
async function measure({ rig, times, middles, processor }: Way): Promise<void> {
  const before = process.cpuUsage();
  const round: number[] = [];
  for (let call = 0; call < calls; call++) {
    const startedAt = performance.now();
    const answer = await rig.ask("/v2/models/digits/infer", asked);
    if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    await answer.text();
    round.push((performance.now() - startedAt) * 1_000);
  }
  const { user, system } = process.cpuUsage(before);
  times.push(...round);
  middles.push(middle(round));
  processor.push((user + system) / calls);
}

const ways = [await wayTo("without TLS", plain.url, ""), await wayTo("with TLS", secure.url, serverName)];
for (let round = -1; round < rounds; round++) {
  for (const way of ways) {
    await measure(way);
    // The first round is for what is compiled and connected.
    if (round < 0) for (const each of [way.times, way.middles, way.processor]) each.length = 0;
  }
}
for (const { name, times, middles, processor } of ways) {
  const figures = [middle(times), Math.min(...middles), Math.min(...processor)].map((value) => value.toFixed(0));
  console.log(`${name.padEnd(12)} ${figures[0]} µs, best round ${figures[1]} µs, processor ${figures[2]} µs`);
}
