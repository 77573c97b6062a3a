import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ModelService, ModelVersionStatus } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import {
  type ModelVersionResolved,
  ModelVersionResolvedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/deployments";
import { JobCompletedSchema, PipelineCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectEventStream, decodeEvent, type EventStream, eventRecord, eventSubject } from "@aiplatform/event-stream";
import { eventually, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { DeploymentsRig } from "./deployments-rig.ts";

export interface Result {
  pipelineId: string;
  runId?: string;
  artifactUri: string;
  artifactSha256: string;
  checkpointId?: string;
  artifactFormat?: string;
}

/** Replicas that take over results, a folder of such, and training's part in it: events of jobs that have completed. */
export class ResultsRig implements AsyncDisposable {
  /** Versions that the replicas have announced. */
  readonly resolved: ModelVersionResolved[] = [];
  readonly models: Client<typeof ModelService>;
  /** Where results may be taken from, in `folder`. */
  readonly results: string;
  readonly rig: DeploymentsRig;
  readonly folder: string;
  readonly #stream: EventStream;

  private constructor(rig: DeploymentsRig, stream: EventStream, folder: string) {
    this.rig = rig;
    this.folder = folder;
    this.#stream = stream;
    this.models = rig.as().client(ModelService);
    this.results = join(folder, "results");
    stream.listen(eventSubject(ModelVersionResolvedSchema), ({ data }) => {
      this.resolved.push(decodeEvent(ModelVersionResolvedSchema, data));
    });
  }

  /** Default: two replicas, which take over files of the folder. */
  static async start({ replicas = 2, takesFiles = true } = {}): Promise<ResultsRig> {
    const folder = await mkdtemp(join(tmpdir(), "results-"));
    const results = join(folder, "results");
    await mkdir(results);
    const settings = { MAX_ARTIFACT_BYTES: "1000000", ...(takesFiles && { ARTIFACT_SOURCES: results }) };
    const rig = await DeploymentsRig.start({ replicas, settings });
    const { NATS_URL: servers, NATS_STREAM: streamName } = rig.home;
    const keys = serviceKeys("training");
    const stream = await connectEventStream({ servers, keys, name: "results tests", streamName });
    await eventually(() =>
      stream.ping().then(
        () => true,
        () => false,
      ),
    );
    return new ResultsRig(rig, stream, folder);
  }

  async newPipeline(name: string): Promise<string> {
    const pipelineId = randomUUID();
    const message = create(PipelineCreatedSchema, { organisationId: this.rig.acme, pipelineId, name });
    await this.#stream.publish([eventRecord(PipelineCreatedSchema, message, this.about(pipelineId))]);
    return pipelineId;
  }

  /** Tells that a job has completed; answers its run. */
  async complete({ runId = randomUUID(), ...result }: Result, times = 1): Promise<string> {
    const fields = { organisationId: this.rig.acme, runId, jobName: "train", artifactFormat: "onnx", ...result };
    const message = create(JobCompletedSchema, fields);
    const records = Array.from({ length: times }, () => eventRecord(JobCompletedSchema, message, this.about(runId)));
    await this.#stream.publish(records);
    return runId;
  }

  /** The file of a result, with what an event says of it. */
  async resultFile(text: string, path = join(this.results, randomUUID())) {
    await writeFile(path, text);
    return { artifactUri: pathToFileURL(path).href, artifactSha256: sha256Of(Buffer.from(text)) };
  }

  /** What an event says beside its message. */
  about(entityId: string) {
    return { organisationId: this.rig.acme, entityId, time: new Date() };
  }

  modelOf(pipelineId: string) {
    return eventually(async () => {
      const { models: all } = await this.models.listModels({ limit: 1_000 });
      return all.find((model) => model.pipelineId === pipelineId);
    });
  }

  async versionOf(runId: string, pipelineId: string) {
    const { id: modelId } = await this.modelOf(pipelineId);
    return eventually(async () => {
      const { versions } = await this.models.listModelVersions({ modelId });
      const version = versions.find(({ source }) => source?.runId === runId);
      return version && version.status !== ModelVersionStatus.PENDING && version;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stream.close();
    await this.rig[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}
