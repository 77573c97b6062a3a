import { readFile } from "node:fs/promises";
import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { WorkspaceService } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import type { DescService } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { callerFromTransport, createTranscoder } from "../src/index.ts";
import { listen, type TestServer } from "./test-server.ts";

interface Case {
  operation: number;
  name: string;
  method: string;
  path: string;
  contentType?: string;
  body?: string;
  answer: unknown;
}

async function readCases(): Promise<Case[]> {
  const read = (file: string): Promise<Case[]> =>
    readFile(new URL(`fixtures/${file}`, import.meta.url), "utf8").then((text) => JSON.parse(text));
  return [...(await read("cases.json")), ...(await read("deployment-cases.json"))];
}

/** None of the cases reaches a service. */
async function serve(services: readonly DescService[]): Promise<TestServer> {
  const transport = createRouterTransport(() => undefined);
  const transcoder = createTranscoder({ services, call: callerFromTransport(() => transport) });
  return listen((request, response) => {
    if (!transcoder.handle(request, response)) response.writeHead(404).end();
  });
}

async function answerOf(server: TestServer, { name, method, path, contentType, body }: Case): Promise<object> {
  const headers = contentType === undefined ? {} : { "content-type": contentType };
  const bytes = body === undefined ? {} : { body: Buffer.from(body) };
  const response = await fetch(`${server.origin}${path.replaceAll(" ", "%20")}`, { method, headers, ...bytes });
  return { name, status: response.status, body: await response.json() };
}

describe("a damaged request to an operation of the contract", () => {
  let server: TestServer;
  let cases: Case[];
  beforeAll(async () => {
    cases = await readCases();
    server = await serve([
      AutomationService,
      ControlCommandService,
      DataDictionaryService,
      DeploymentService,
      ExternalOauthService,
      FeatureMemoryService,
      WorkspaceService,
      RoleService,
      RunMetricsService,
    ]);
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  it.each([
    ["training commands", 1, 160],
    ["external accounts", 2, 47],
    ["custom serving deployments", 3, 794],
    ["workspaces", 4, 251],
    ["roles", 5, 88],
    ["deployments", 6, 42],
    ["data dictionaries", 7, 94],
    ["live metrics", 8, 50],
    ["automations", 9, 8],
    ["feature memory", 12, 9],
  ])("is answered like the reference for %s", async (_what, operation, count) => {
    const known = cases.filter((one) => one.operation === operation);
    expect(known).toHaveLength(count);
    for (const damaged of known) {
      const expected = { name: damaged.name, status: 422, body: damaged.answer };
      expect(await answerOf(server, damaged)).toEqual(expected);
    }
  });
});
