import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { httpClient } from "../../tests/load/http-client.ts";
import { createJobs, type Job } from "../../tests/load/run-with-jobs.ts";
import { unbounded } from "../../tests/load/unbounded.ts";

/** Jobs that commands are spread over. */
const jobCount = 256;

export type Send = (method: string, path: string, body?: string) => Promise<Buffer>;

/** Our platform, one process a service, and what the benches ask of it. */
export interface OurSide {
  readonly transport: ReturnType<typeof createMeshTransport>;
  readonly apiKey: string;
  /** A job that gets no command. */
  readonly quietJob: Job;
  readonly send: Send;
  /** Sends a command to one of the jobs, and waits until it is durable. */
  command(index: number): Promise<unknown>;
}

/** Starts it; the stack stops it. */
export async function startOurSide(stack: AsyncDisposableStack): Promise<OurSide> {
  const home = stack.use(await mkdtempDisposable(join(tmpdir(), "peers-")));
  const options = { directory: home.path, trainer: false, separate: "all", settings: { gateway: unbounded } } as const;
  const { description } = stack.use(await startPlatform(options));
  const { gateway, api_key: apiKey } = description;
  const transport = stack.adopt(createMeshTransport({ addresses: description.grpc.training }), (one) => one.close());
  const [quietJob, ...jobs] = await createJobs(transport, apiKey, jobCount + 1);
  if (!quietJob) throw new Error("no jobs were created");
  const send = sender(gateway, { bearer: apiKey, stack });
  const command = (index: number) => {
    const { pipelineId, runId, name } = jobs[index % jobs.length] ?? quietJob;
    const path = `/pipelines/${pipelineId}/runs/${runId}/training/${name}/commands`;
    return send("POST", path, `{"action":"pause","idempotency_key":"${randomUUID()}"}`);
  };
  return { transport, apiKey, quietJob, send, command };
}

/** The same client for both sides. What is not answered with 2xx ends the bench. */
export function sender(url: string, { bearer = "", stack }: { bearer?: string; stack: AsyncDisposableStack }): Send {
  const http = stack.adopt(httpClient(url, bearer), (client) => client.close());
  return async (method, path, body) => {
    const { status, text } = await http.send(method, path, body);
    if (status < 200 || status > 299) throw new Error(`${method} ${url}${path} was answered ${status}: ${text}`);
    return text;
  };
}
