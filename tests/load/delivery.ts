import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import type { Transport } from "@connectrpc/connect";
import { httpClient } from "./http-client.ts";
import { type Effort, percentile, printTable } from "./measure.ts";
import type { Job } from "./run-with-jobs.ts";
import { attachTrainer } from "./trainer-stream.ts";

/** Time from POST to the trainer holding the command, beside the time from POST to 201. */
export async function measureDelivery(
  platform: LocalPlatform,
  { transport, job }: { transport: Transport; job: Job },
  { share }: Effort,
): Promise<void> {
  const { gateway, api_key } = platform.description;
  const http = httpClient(gateway, api_key);
  const trainer = await attachTrainer(transport, api_key, job);
  const path = `/pipelines/${job.pipelineId}/runs/${job.runId}/training/${job.name}/commands`;
  const answered: number[] = [];
  const delivered: number[] = [];
  const count = 400 * share;
  for (let index = 0; index < count; index += 1) {
    const key = randomUUID();
    const before = performance.now();
    const heldAt = trainer.heldAt(key).then((at) => delivered.push(at - before));
    const { status, text } = await http.send("POST", path, `{"action":"continue","idempotency_key":"${key}"}`);
    if (status !== 201) throw new Error(`operation 1 answered ${status}: ${text}`);
    answered.push(performance.now() - before);
    await heldAt;
  }
  await trainer.close();
  http.close();
  const row = (name: string, values: number[]) => [
    name,
    percentile(values, 0.5).toFixed(2),
    percentile(values, 0.99).toFixed(2),
  ];
  const ratio = (share: number) => (percentile(delivered, share) / percentile(answered, share)).toFixed(2);
  printTable(
    `From POST to the trainer holding the command, ${count} commands one after the other`,
    ["", "p50 ms", "p99 ms"],
    [row("POST → 201", answered), row("POST → trainer holds it", delivered), ["ratio", ratio(0.5), ratio(0.99)]],
  );
}
