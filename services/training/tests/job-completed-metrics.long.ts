import { randomUUID } from "node:crypto";
import { JobState, MetricGoal } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { connectDocumentStore } from "@aiplatform/document-store";
import { dropDatabase, newTestEnvironment, ServiceProcess } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { Completions } from "./completions.ts";
import { clientsAt, newJob, program, TestTrainer } from "./training-rig.ts";

const declaration = { primaryMetric: "accuracy", primaryMetricGoal: MetricGoal.MAXIMIZE };

describe("a replica that is killed after a report, and again when the job has ended", () => {
  it("announces the metrics all the same", async () => {
    const home = newTestEnvironment("training");
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
    await using store = await connectDocumentStore({ uri, database, appName: "test" });
    await using replica = await new ServiceProcess({ program, home }).start();
    await using completions = await Completions.subscribe(home);
    const organisationId = randomUUID();
    const reporting = clientsAt(replica.address, { organisationId });
    const job = await newJob(reporting.clients, declaration);
    const lost = await new TestTrainer(reporting.clients, job).attach();
    await lost.report(JobState.RUNNING);
    const columns = [{ name: "accuracy", steps: [1], values: [0.5] }];
    const batch = { runId: job.runId, jobName: job.jobName, attachmentId: lost.attachmentId, counter: 1, columns };
    for await (const { durableCounter } of reporting.clients.trainers.report(once(batch))) {
      expect(durableCounter).toBe(1);
    }
    await lost[Symbol.asyncDispose]();
    reporting.transport.close();
    await replica.kill();
    await replica.start();
    const ending = clientsAt(replica.address, { organisationId });
    const trainer = await new TestTrainer(ending.clients, job).attach();
    await trainer.report(JobState.COMPLETED);
    await trainer[Symbol.asyncDispose]();
    ending.transport.close();
    await replica.kill();
    await replica.start();
    expect(await completions.of(job.runId)).toEqual({ metrics: { accuracy: 0.5 }, primaryMetric: "accuracy" });
    await replica.kill();
    await dropDatabase(store);
  });
});

async function* once<T>(message: T): AsyncGenerator<T> {
  yield message;
}
