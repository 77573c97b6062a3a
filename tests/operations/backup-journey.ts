import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployModel, digitOfModel, reachesStatus, testImages } from "../deployments/journey.ts";
import { type Ask, ask, commandApplied, commandLog, type Json, metricsPath, until } from "../mesh/rest.ts";
import { uploadArtifact } from "../mesh/upload-artifact.ts";

/** A way of backing up: both take the folder that the backup lies in. */
export interface BackupMethod {
  /** While the platform runs and is written to. */
  take(platform: LocalPlatform, backup: string): Promise<void>;
  /** Into the directory of a platform that was never started. */
  restore(backup: string, directory: string): Promise<void>;
}

interface Before {
  /** Commands that were applied. */
  commands: readonly Json[];
  apiKey: string;
  modelId: string;
  artifactSha256: string;
  deployment: Json;
  lastPoint: number;
}

const artifact = Buffer.from("weights that a backup has to keep");

/** What has to hold after a restore, whichever way the backup was taken. */
export function describeBackup(title: string, { take, restore }: BackupMethod): void {
  describe(title, () => {
    const rooms = new AsyncDisposableStack();
    let former: LocalPlatform;
    let platform: LocalPlatform["description"];
    let platformDirectory: string;
    let before: Before;

    const room = async () => {
      const folder = await mkdtemp(join(tmpdir(), "backup-"));
      rooms.defer(() => rm(folder, { recursive: true, force: true }));
      return folder;
    };
    const here = (path: string, more: Omit<Ask, "path"> = {}) => ask(platform, { path, ...more });
    const newestStep = async (): Promise<number> =>
      (await here(metricsPath(platform, "?max_points=0"))).body.metrics.train_loss?.step ?? 0;

    beforeAll(async () => {
      const [directory, backup, restored] = [await room(), await room(), await room()];
      former = rooms.use(await startPlatform({ directory, trainer: true, model: true, stepsPerSecond: 200 }));
      platform = former.description;
      const lastPoint = await until("a point of the run", 60, newestStep, (step) => step > 0);
      const supervisor = startSupervisor(platform);
      rooms.defer(() => supervisor.stop());
      before = { ...(await doneBefore(platform)), lastPoint, commands: await supervisor.applied(4) };
      await take(former, backup);
      // The trainer is to know more than the restored platform will.
      await supervisor.applied(3);
      await supervisor.stop();
      await former.stop();
      await restore(backup, restored);
      // What is kept beside the backup: secrets, and the trainer's own disk.
      for (const kept of ["secrets", "trainer"])
        await cp(join(directory, kept), join(restored, kept), { recursive: true });
      const again = rooms.use(
        await startPlatform({ directory: restored, trainer: true, model: true, stepsPerSecond: 200 }),
      );
      platform = again.description;
      platformDirectory = restored;
    }, 300_000);
    afterAll(() => rooms.disposeAsync());

    it("has every command that was answered before the backup began, without a gap", async () => {
      const log = await commandLog(platform);
      expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
      const stored = new Map(log.map(({ id, sequence }) => [id, sequence]));
      expect(before.commands.length).toBeGreaterThan(0);
      expect(before.commands.filter(({ id, sequence }: Json) => stored.get(id) !== sequence)).toEqual([]);
    });

    it("knows the keys of before", async () => {
      expect((await here("/platform/models", { bearer: before.apiKey })).status).toBe(200);
    });

    it("has the artifacts that its database names, and misses the others", async () => {
      const path = `/platform/models/${before.modelId}/versions`;
      const made = await here(path, { body: { format: "onnx", artifact_sha256: before.artifactSha256 } });
      expect(made).toMatchObject({ status: 201, body: { artifact_sha256: before.artifactSha256 } });
      expect((await here(path, { body: { format: "onnx", artifact_sha256: "0".repeat(64) } })).status).toBe(409);
    });

    it("serves what was deployed before, with the token that it has kept sealed", async () => {
      const deployment = await reachesStatus(placeOf(platform), before.deployment.id, "Running");
      for (const image of await testImages([0]))
        expect(await digitOfModel(placeOf(platform), deployment, image)).toBe(image.label);
    }, 90_000);

    it("tells the other services what it knew and what is new, each once", async () => {
      await here("/platform/models", { body: { name: "After the restore" } });
      const records = await until(
        "the audit log to follow",
        30,
        async () => (await here("/platform/audit?limit=1000")).body as Json[],
        (all) => all.filter(({ action }) => action === "deployments.model.created").length >= 3,
      );
      const ids = records.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it("gets points of the trainer, which knows more than it does, and has its commands applied", async () => {
      for (const action of ["pause", "resume"]) {
        expect(
          await told(commandApplied(platform, action), join(platformDirectory, "logs", "trainer.log")),
        ).toMatchObject({
          status: "applied",
        });
      }
      await until("a newer point", 60, newestStep, (step) => step > before.lastPoint);
    }, 180_000);
  });
}

/** Pauses and resumes the job in turn, each command once the one before is applied. */
function startSupervisor(platform: LocalPlatform["description"]) {
  const applied: Json[] = [];
  let stopped = false;
  const work = (async () => {
    while (!stopped) applied.push(await commandApplied(platform, applied.length % 2 === 0 ? "pause" : "resume"));
  })();
  return {
    /** All that were applied, once so many more are. */
    async applied(more: number): Promise<readonly Json[]> {
      const wanted = applied.length + more;
      await Promise.race([
        until(
          "commands to be applied",
          90,
          async () => applied.length,
          (count) => count >= wanted,
        ),
        work,
      ]);
      return [...applied];
    },
    async stop() {
      stopped = true;
      await work;
    },
  };
}

/** The same; a failure shows what a process had to say. */
async function told<T>(work: Promise<T>, logFile: string): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new Error(`${cause}\n${logFile} ends with:\n${(await readFile(logFile, "utf8")).slice(-2_000)}`, { cause });
  }
}

const placeOf = ({ gateway, bearer, model_id: modelId }: LocalPlatform["description"]) => ({
  gateway,
  bearer,
  modelId,
});

/** Something that other services keep. */
async function doneBefore(
  platform: LocalPlatform["description"],
): Promise<Pick<Before, "apiKey" | "modelId" | "artifactSha256" | "deployment">> {
  const model = await ask(platform, { path: "/platform/models", body: { name: "Kept" } });
  const key = await ask(platform, {
    path: "/platform/api-keys",
    body: { name: "kept", permission_ids: ["models:read"] },
  });
  const artifactSha256 = await uploadArtifact(platform, artifact);
  const deployment = await deployModel(placeOf(platform));
  await reachesStatus(placeOf(platform), deployment.id, "Running");
  return { apiKey: key.body.secret, modelId: model.body.id, artifactSha256, deployment };
}
