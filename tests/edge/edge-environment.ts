import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { ask, commandsPath, type Json, metricsPath, until } from "../mesh/rest.ts";

/** Short, so that tests which use them up do not take long; long enough for an honest request on a busy machine. */
export const headersTimeoutMs = 4_000;
export const requestTimeoutMs = 6_000;
/** The only pages that may use the API from a browser here. */
export const allowedOrigin = "https://console.example";

/** A way that requests take through the gateway: where they go, and what is sent there. */
export interface Lane {
  readonly name: string;
  /** Target of a request with a body. */
  readonly post: string;
  readonly get: string;
  readonly body: string;
}

/** A platform of real processes, what lies behind its gateway, and eyes on it. */
export class EdgeEnvironment {
  #platform: LocalPlatform | undefined;
  #deployment: Json;
  readonly hub = new RecordingHub();

  get platform(): LocalPlatform {
    if (!this.#platform) throw new Error("the platform has not been started");
    return this.#platform;
  }

  get description(): LocalPlatform["description"] {
    return this.platform.description;
  }

  /** Bytes of memory that the gateway has. */
  async gatewayMemory(): Promise<number> {
    const pid = this.platform.processes.get("gateway")?.pid;
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }

  async logOf(service: string): Promise<string> {
    return await readFile(join(this.platform.directory, "logs", `${service}.log`), "utf8");
  }

  /** All ways: answered here, passed on to a service, to a notebook hub, to what serves predictions. */
  lanes(): Lane[] {
    const predictions = `/platform/deployments/${this.#deployment.id}/v2`;
    const rpc = "/aiplatform.training.v1.RunService/GetRun";
    return [
      { name: "REST", post: commandsPath(this.description), get: metricsPath(this.description), body: "{}" },
      { name: "Connect", post: rpc, get: rpc, body: JSON.stringify({ run_id: this.description.run_id }) },
      { name: "notebooks", post: "/notebooks/hub/api/x", get: "/notebooks/hub/api/x", body: "{}" },
      { name: "predictions", post: `${predictions}/models/echo/infer`, get: `${predictions}/health/ready`, body: "{}" },
    ];
  }

  async begin(platform: LocalPlatform): Promise<void> {
    this.#platform = platform;
    const created = await ask(this.description, { path: "/deployments/custom-serving/", body: echo });
    if (created.status !== 201) throw new Error(`deploying was answered ${created.status}: ${created.text}`);
    this.#deployment = created.body;
    const path = `/platform/deployments/${created.body.id}`;
    const isRunning = ({ body }: Json) => body.status === "Running";
    await until("the deployment to run", 60, () => ask(this.description, { path }), isRunning);
  }
}

const echo = {
  name: "Echo",
  serving_bundle: {
    schema_version: "serving.v1",
    runtime: { type: "prebuilt", value: "node" },
    interface: { input: {}, output: {} },
    name: "echo",
    artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
  },
  artifacts: [{ name: "handler", content: "export default (input) => ({ input });", content_type: "text/javascript" }],
};

const hubToken = JSON.stringify({ token: "of-the-hub", expires_at: "2100-01-01T00:00:00Z" });

/** Stands where a JupyterHub would, answers everything, and remembers how it was asked. */
class RecordingHub {
  readonly #server: Server;
  /** Method, target and request id of each request but those for tokens. */
  readonly asked: string[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      const isForToken = request.url?.endsWith("/tokens") ?? false;
      if (!isForToken) this.asked.push(`${request.method} ${request.url} ${request.headers["x-request-id"]}`);
      const answer = () => {
        if (isForToken) response.writeHead(201, { "content-type": "application/json" }).end(hubToken);
        else response.setHeader("content-type", "text/plain").end("the hub");
      };
      request.resume().once("end", answer);
    });
    this.#server.on("clientError", (error, socket) => {
      this.asked.push(`malformed: ${error.message}`);
      socket.destroy();
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/notebooks`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Gives the tests of a file such an environment. */
export async function ownEdgeEnvironment(): Promise<EdgeEnvironment> {
  const environment = new EdgeEnvironment();
  const hubUrl = await environment.hub.listen();
  const debug = { LOG_LEVEL: "debug" };
  let platform: LocalPlatform | undefined;
  ownPlatform(
    (started) => {
      platform = started;
    },
    {
      separate: "services",
      settings: {
        gateway: {
          JUPYTERHUB_URL: hubUrl,
          HEADERS_TIMEOUT_MS: String(headersTimeoutMs),
          REQUEST_TIMEOUT_MS: String(requestTimeoutMs),
          CORS_ALLOWED_ORIGINS: allowedOrigin,
        },
        identity: { JUPYTERHUB_URL: hubUrl, JUPYTERHUB_API_TOKEN: "of-identity" },
        training: debug,
      },
    },
  );
  beforeAll(async () => {
    if (platform) await environment.begin(platform);
  }, 90_000);
  afterAll(() => environment.hub.close());
  return environment;
}
