import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import type { Transport } from "@connectrpc/connect";
import type { Effort } from "../../bench/harness/bench.ts";
import { type Figure, percentile } from "../../bench/harness/figure.ts";
import { httpClient } from "./http-client.ts";
import type { Job } from "./run-with-jobs.ts";
import { attachTrainer } from "./trainer-stream.ts";

/** Time from POST to the trainer holding the command, beside the time from POST to 201. */
export async function measureDelivery(
  platform: LocalPlatform,
  { transport, job }: { transport: Transport; job: Job },
  { rounds, share }: Effort,
): Promise<Figure[]> {
  const { gateway, api_key } = platform.description;
  const http = httpClient(gateway, api_key);
  const trainer = await attachTrainer(transport, api_key, job);
  const path = `/pipelines/${job.pipelineId}/runs/${job.runId}/training/${job.name}/commands`;
  const taken: { answered: number[]; delivered: number[] }[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const [answered, delivered]: [number[], number[]] = [[], []];
    for (let index = 0; index < 200 * share; index += 1) {
      const key = randomUUID();
      const before = performance.now();
      const heldAt = trainer.heldAt(key).then((at) => delivered.push(at - before));
      const { status, text } = await http.send("POST", path, `{"action":"continue","idempotency_key":"${key}"}`);
      if (status !== 201) throw new Error(`operation 1 answered ${status}: ${text}`);
      answered.push(performance.now() - before);
      await heldAt;
    }
    taken.push({ answered, delivered });
  }
  await trainer.close();
  http.close();
  const figure = (share: number) => ({
    unit: "ms",
    values: taken.map(({ delivered }) => percentile(delivered, share)),
    floor: { name: "POST → 201", values: taken.map(({ answered }) => percentile(answered, share)) },
  });
  return [
    { id: "delivery-p50", name: "POST → trainer holds the command, p50", ...figure(0.5) },
    { id: "delivery-p99", name: "POST → trainer holds the command, p99", ...figure(0.99) },
  ];
}
