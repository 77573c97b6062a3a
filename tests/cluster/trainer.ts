import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mnistJob } from "@aiplatform/mnist-trainer";
import { forward } from "./kubernetes.ts";

const main = join(import.meta.dirname, "..", "..", "examples", "mnist-trainer", "src", "main.ts");

/** The example trainer outside of the cluster, at work on a run; its way in is opened again whenever the pod at its end goes. */
export async function startTrainer({ key, runId }: { key: string; runId: string }): Promise<AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), "cluster-trainer-"));
  const way = await forward("training", 50_051);
  const env = {
    ...process.env,
    TRAINING_ADDRESS: way.address,
    API_KEY: key,
    RUN_ID: runId,
    JOB_NAME: mnistJob.name,
    DATA_DIRECTORY: directory,
    STEPS_PER_SECOND: "5",
  };
  const trainer = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main], { env, stdio: "ignore" });
  return {
    async [Symbol.asyncDispose]() {
      await ended(trainer);
      await way[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill();
  await closed;
}
