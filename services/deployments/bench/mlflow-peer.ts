import { execFile, spawn } from "node:child_process";
import { glob } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePorts } from "@aiplatform/local-platform";
import { until } from "../../../tests/mesh/rest.ts";

const saving = `
import sys, mlflow, onnx
mlflow.onnx.save_model(onnx.load(sys.argv[1]), sys.argv[2])`;

/** The stock server of MLflow with the demo's model. */
export interface MlflowPeer extends AsyncDisposable {
  url: string;
}

/**
 * Starts `mlflow models serve` on what the demo's first run has left. `python` has mlflow, onnx and onnxruntime installed.
 * `directory`: where the platform keeps its data.
 */
export async function startMlflow(python: string, directory: string): Promise<MlflowPeer> {
  const [exported] = await Array.fromAsync(glob(join(directory, "trainer", "*", "artifacts", "*.onnx")));
  if (!exported) throw new Error(`there is no model below ${directory}`);
  const model = join(directory, "mlflow-model");
  await promisify(execFile)(python, ["-c", saving, exported, model]);
  const [port = 0] = await freePorts([0]);
  const args = [
    "-m",
    "mlflow",
    "models",
    "serve",
    "--model-uri",
    model,
    "--env-manager",
    "local",
    "--port",
    String(port),
  ];
  const env = { ...process.env, PATH: `${dirname(python)}:${process.env["PATH"]}` };
  const server = spawn(python, args, { env, stdio: "ignore", detached: true });
  const url = `http://127.0.0.1:${port}`;
  await until(
    "MLflow to answer",
    120,
    async () => (await fetch(`${url}/ping`).catch(() => undefined))?.status,
    (status) => status === 200,
  );
  return {
    url: `${url}/invocations`,
    // With the workers that it has started.
    [Symbol.asyncDispose]: async () => void process.kill(-(server.pid ?? 0), "SIGTERM"),
  };
}
