import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isInternal } from "@aiplatform/caller-identity";
import { services } from "@aiplatform/contract/services";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { type DescMethod, type DescMethodUnary, fromJson, toJson } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { MongoClient } from "mongodb";
import { internalCalls } from "../mesh/internal-calls.ts";
import { ask, type Json, until } from "../mesh/rest.ts";

/** A record as the platform shows it. */
export interface ShownRecord {
  id: string;
  organisation_id: string | null;
  actor: { member_id: string | null; credential_id: string | null };
  action: string;
  outcome: string;
  reason: string | null;
  rpc: string | null;
  entity_id: string | null;
  request_id: string | null;
  /** Who chose the request id; null where it is not known. */
  request_id_source: string | null;
  source_address: string | null;
  /** Of a refusal: how many calls the record stands for. */
  count: number | null;
}

/** How a call over Connect was answered. */
export interface Answered {
  requestId: string;
  /** `ok`, or the code of the error. */
  code: string;
  body: Json;
}

/** Every RPC of the contract, by `Service/Method`. */
export const methods: ReadonlyMap<string, DescMethod> = new Map(
  services
    .flatMap((service) => service.methods)
    .map((method) => [`${method.parent.name}/${method.name}`, method] as const),
);

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

/** A platform that runs, and the audit log behind it. */
export class AuditEnvironment {
  readonly platform: LocalPlatform;
  readonly operatorKey: string;

  private constructor(platform: LocalPlatform, operatorKey: string) {
    this.platform = platform;
    this.operatorKey = operatorKey;
  }

  static async of(platform: LocalPlatform, directory: string): Promise<AuditEnvironment> {
    return new AuditEnvironment(platform, await readFile(join(directory, "secrets", "operator-key"), "utf8"));
  }

  get #description() {
    return this.platform.description;
  }

  /** Calls an RPC through the gateway, as a browser would: Connect with JSON. Default caller: the demo's administrator. */
  async call(
    name: string,
    input: Json,
    {
      bearer = this.#description.bearer,
      requestId = randomUUID(),
      headers = {},
    }: { bearer?: string | null; requestId?: string; headers?: Record<string, string> } = {},
  ): Promise<Answered> {
    const method = methods.get(name);
    if (!method) throw new Error(`the contract has no ${name}`);
    if (isInternal(method) && isUnary(method)) return this.#callService(method, input, { bearer, requestId });
    const response = await fetch(`${this.#description.gateway}/${method.parent.typeName}/${method.name}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...headers,
        "x-request-id": requestId,
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(input),
    });
    const body: Json = await response.json();
    return { requestId, code: response.ok ? "ok" : body.code, body };
  }

  /** Calls an RPC that only services call, at the service that answers it. */
  async #callService(
    method: DescMethodUnary,
    input: Json,
    { bearer, requestId }: { bearer: string | null; requestId: string },
  ): Promise<Answered> {
    const [, owner] = method.parent.typeName.split(".");
    const address = Object.entries(this.#description.grpc).find(([name]) => name === owner)?.[1] ?? "";
    const transport = createMeshTransport({
      addresses: address,
      interceptors: [internalCalls(this.platform.directory)],
    });
    const headers = { "x-request-id": requestId, ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }) };
    try {
      const request = fromJson(method.input, input);
      const { message } = await transport.unary(method, undefined, undefined, headers, request);
      return { requestId, code: "ok", body: toJson(method.output, message) };
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      return { requestId, code: codeToString(code), body: rawMessage };
    } finally {
      transport.close();
    }
  }

  /** As {@link call}, for what has to succeed. */
  async made(name: string, input: Json): Promise<Json> {
    const { code, body } = await this.call(name, input);
    if (code !== "ok") throw new Error(`${name} ended with ${code}: ${JSON.stringify(body)}`);
    return body;
  }

  /** What the administrator sees of that request; with `installation`, the operator. */
  async recordsOf(requestId: string): Promise<ShownRecord[]> {
    const { status, body, text } = await ask(this.#description, { path: `/platform/audit?request_id=${requestId}` });
    if (status !== 200) throw new Error(`the audit log was answered ${status}: ${text}`);
    return body;
  }

  /** The newest records that concern the installation, since then. */
  async installationRecords(since: Date): Promise<ShownRecord[]> {
    const path = `/platform/installation/audit?limit=1000&since=${since.toISOString()}`;
    const { status, body, text } = await ask(this.#description, { path, bearer: this.operatorKey });
    if (status !== 200) throw new Error(`the installation's audit log was answered ${status}: ${text}`);
    return body;
  }

  /** How many records each of the requests has left, of whatever organisation, by request id. */
  async counts(requestIds: readonly string[]): Promise<Map<string, number>> {
    const client = new MongoClient(this.platform.mongodbUri);
    try {
      const match = { request_id: { $in: [...requestIds] } };
      const group = { _id: "$request_id", records: { $sum: 1 } };
      const records = client.db("identity").collection("audit_records");
      const found = await records.aggregate([{ $match: match }, { $group: group }]).toArray();
      return new Map(found.map(({ _id, records: count }) => [String(_id), Number(count)]));
    } finally {
      await client.close();
    }
  }

  /** Has an artifact look as if nothing had referred to it for a year. */
  async letArtifactAge(sha256: string): Promise<void> {
    const client = new MongoClient(this.platform.mongodbUri);
    try {
      const marked = { $set: { unreferenced_since: new Date(Date.now() - 365 * 86_400_000) } };
      await client.db("deployments").collection("artifacts").updateMany({ sha256 }, marked);
    } finally {
      await client.close();
    }
  }

  /** How many refused calls the records of all organisations stand for. */
  async refusals(): Promise<number> {
    const client = new MongoClient(this.platform.mongodbUri);
    try {
      const records = client.db("identity").collection("audit_records");
      const stages = [{ $match: { outcome: "refused" } }, { $group: { _id: null, calls: { $sum: "$count" } } }];
      const [found] = await records.aggregate(stages).toArray();
      return Number(found?.["calls"] ?? 0);
    } finally {
      await client.close();
    }
  }

  /**
   * Waits until every record of what was asked before has arrived: each service and the gateway announces in order, so
   * the last thing each of them announces comes after all that it announced before. Three of what it asks are refused.
   */
  async settled(seconds = 30): Promise<void> {
    const { gateway, grpc, bearer, pipeline_id, run_id, job_name } = this.#description;
    const last: string[] = [];
    const note = async (answer: Promise<Answered>) => void last.push((await answer).requestId);
    await note(this.call("RoleService/CreateRole", { name: "last", slug: `r${randomUUID()}` }));
    await note(this.call("RunService/CreatePipeline", { name: "last" }));
    const job = { pipelineId: pipeline_id, runId: run_id, jobName: job_name };
    const command = { ...job, action: "TRAINING_CONTROL_ACTION_CONTINUE", idempotencyKey: randomUUID() };
    await note(this.call("ControlCommandService/CreateTrainingControlCommand", command));
    await note(this.call("ModelService/CreateModel", { name: randomUUID() }));
    await note(this.call("RoleService/GetRole", { roleId: randomUUID() }));
    await note(this.call("RunService/GetRun", { runId: randomUUID() }));
    const requestId = randomUUID();
    await ask(
      { gateway, bearer, pipeline_id, run_id, job_name },
      { path: "/platform/roles", bearer: null, headers: { "x-request-id": requestId } },
    );
    last.push(requestId);
    const probe = () => this.counts(last);
    await until(`the last records (${grpc.identity})`, seconds, probe, (counts) => counts.size === last.length);
  }
}
