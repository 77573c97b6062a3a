import { AutomationService } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { WorkspaceService } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { create } from "@bufbuild/protobuf";
import { createTranscoder } from "../src/index.ts";
import { listen, type TestServer } from "./test-server.ts";

const services = [
  AutomationService,
  ControlCommandService,
  DataDictionaryService,
  DeploymentService,
  EmailDraftService,
  ExternalOauthService,
  FeatureMemoryService,
  RoleService,
  RunMetricsService,
  WorkspaceService,
];

/** The real contract over HTTP, with services that answer nothing to whatever is let through. */
export async function serveContract(): Promise<TestServer> {
  const transcoder = createTranscoder({
    services,
    // As the gateway has it: no entry of it may come beside the reference's.
    describe: {
      title: "API",
      version: "1",
      refine: ({ name }) => (name === "permission_ids" ? { items: { enum: ["metrics:read"] } } : undefined),
      strict: ({ path }) => path.startsWith("/platform/"),
    },
    call: {
      unary: ({ output }) =>
        Promise.resolve({ message: create(output), header: new Headers(), trailer: new Headers() }),
      clientStream: () => Promise.reject(new Error("no operation here is a stream")),
      serverStream: () => Promise.reject(new Error("no operation here is a stream")),
    },
  });
  return listen((request, response) => {
    if (!transcoder.handle(request, response)) response.writeHead(404).end();
  });
}
