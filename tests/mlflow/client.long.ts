import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type Followed, follow, patternOf, stepsOf } from "../documents/followed-page.ts";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { pythonWithPackages } from "../notebooks/python-packages.ts";
import { whyNoPython } from "../python-sdk/sdk-python.ts";

const reason = await whyNoPython();
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const steps = stepsOf(await readFile(file("../../docs/api/mlflow.md"), "utf8"));

describe.skipIf(reason)(`MLflow's own client${reason ? `: ${reason}` : ""}`, () => {
  let platform: SharedPlatform;
  let env: NodeJS.ProcessEnv;
  sharedPlatform((started) => (platform = started));
  beforeAll(async () => {
    const python = await pythonWithPackages({ name: "mlflow", requirements: file("requirements.txt") });
    const { PATH, HOME } = process.env;
    env = { PATH, HOME, ...python.env };
  }, 300_000);

  /** What the page's shell has, with another program. */
  const run = (program: string): Promise<Followed> => {
    const [settings = ""] = steps[0]?.commands.split("cat > digits.py") ?? [];
    const step = { commands: `${settings}python3 - <<'END'\n${program}\nEND\n`, shown: undefined };
    return follow([step], { cwd: platform.home, seconds: 120, env });
  };

  it("prints what its page shows", async () => {
    const followed = await follow(steps, { cwd: platform.home, seconds: 120, env });
    expect(followed).toMatchObject({ code: 0 });
    expect(followed.outputs[0]).toMatch(patternOf(steps[0]?.shown ?? ""));
  });

  it("logs without an experiment, goes on with a run that has ended, and finds it", async () => {
    const followed = await run(`
import time
import mlflow
from mlflow.entities import Metric
with mlflow.start_run(tags={"k": "v"}, description="notes") as run:
    mlflow.log_metrics({"loss": 0.5, "nothing": float("nan")}, step=1)
client = mlflow.MlflowClient()
with mlflow.start_run(run_id=run.info.run_id):
    client.log_batch(run.info.run_id, [Metric(f"m{i % 10}", i, 1_700_000_000_000 + i, i) for i in range(1000)])
    mlflow.log_metric("loss", 0.25, step=2)
    mlflow.log_param("optimizer", "adam")
print([(p.step, p.value) for p in client.get_metric_history(run.info.run_id, "loss")])
print([p.timestamp for p in client.get_metric_history(run.info.run_id, "m3")][:2])
for _ in range(60):
    found = client.search_runs([run.info.experiment_id], "metrics.loss < 0.3 AND params.optimizer = 'adam' AND tags.k = 'v' AND attributes.status = 'FINISHED'")
    if found:
        break
    time.sleep(0.5)
print([f.info.run_id == run.info.run_id for f in found], found[0].data.tags["mlflow.note.content"])
client.delete_run(run.info.run_id)
print(client.get_run(run.info.run_id).info.lifecycle_stage)`);
    expect(followed).toMatchObject({ code: 0 });
    const lines = ["[(1, 0.5), (2, 0.25)]", "[1700000000003, 1700000000013]", "[True] notes", "deleted"];
    expect(followed.outputs[0]?.trim().split("\n")).toEqual(lines);
  });

  it("stores folders and large files, and reads them back", async () => {
    const followed = await run(`
import filecmp, os, pathlib, tempfile
import mlflow
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "a b" / "c").mkdir(parents=True)
(folder / "a b" / "c" / "large.bin").write_bytes(os.urandom(9_000_000))
(folder / "é.txt").write_text("small")
(folder / "empty").write_text("")
with mlflow.start_run() as run:
    mlflow.log_artifacts(str(folder), "model")
got = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="model")
print([filecmp.cmp(folder / name, pathlib.Path(got) / name, shallow=False) for name in ["a b/c/large.bin", "é.txt", "empty"]])
print([(f.path, f.is_dir) for f in mlflow.MlflowClient().list_artifacts(run.info.run_id, "model")])`);
    expect(followed).toMatchObject({ code: 0 });
    const listed = "[('model/a b', True), ('model/empty', False), ('model/é.txt', False)]";
    expect(followed.outputs[0]?.trim().split("\n")).toEqual(["[True, True, True]", listed]);
  });

  it("is told by its errors what is wrong, and what is not covered", async () => {
    const followed = await run(`
import mlflow
client = mlflow.MlflowClient()
with mlflow.start_run() as run:
    mlflow.log_param("lr", 1)
def told(work):
    try:
        work()
    except mlflow.exceptions.MlflowException as error:
        print(error.error_code)
told(lambda: client.create_experiment("Default"))
told(lambda: client.log_param(run.info.run_id, "lr", 2))
told(lambda: client.get_run("019c6b7e-acba-7255-a121-00f80b56fc3c"))
told(lambda: client.search_runs([run.info.experiment_id], "attributes.run_name LIKE 'x%'"))
told(lambda: client.create_registered_model("model"))
told(lambda: client.log_inputs(run.info.run_id, []))`);
    expect(followed).toMatchObject({ code: 0 });
    expect(followed.outputs[0]?.trim().split("\n")).toEqual([
      "RESOURCE_ALREADY_EXISTS",
      "INVALID_PARAMETER_VALUE",
      "RESOURCE_DOES_NOT_EXIST",
      "INVALID_PARAMETER_VALUE",
      "ENDPOINT_NOT_FOUND",
      "ENDPOINT_NOT_FOUND",
    ]);
  });
});
