import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { idNormalizationInterceptor } from "./id-normalization.ts";

const id = "0198F2A0-0000-7000-8000-00000000ABCD";
const stored = id.toLowerCase();

/** The requests that handlers got. */
const got: unknown[] = [];
const transport = createRouterTransport(
  (router) => {
    router.service(RoleService, { getRole: (request) => keep(request) });
    router.service(EmailDraftService, { createEmailDraft: (request) => keep(request) });
    router.service(DeploymentService, { createCustomServingDeployment: (request) => keep(request) });
    router.service(RunMetricsService, {
      async *watchRunMetrics(request) {
        yield keep(request);
      },
    });
  },
  { router: { interceptors: [idNormalizationInterceptor()] } },
);

function keep(request: unknown): Record<string, never> {
  got.push(request);
  return {};
}

describe("an id in upper case reaches the handler in lower case", () => {
  it("as a field of the request", async () => {
    await createClient(RoleService, transport).getRole({ roleId: id });
    expect(got.pop()).toMatchObject({ roleId: stored });
  });

  it("in a list", async () => {
    await createClient(EmailDraftService, transport).createEmailDraft({ recipientMemberIds: [stored, id] });
    expect(got.pop()).toMatchObject({ recipientMemberIds: [stored, stored] });
  });

  it("in a message of the request", async () => {
    const servingBundle = { datasets: [{ datasetId: id, alias: "Train" }] };
    await createClient(DeploymentService, transport).createCustomServingDeployment({ servingBundle });
    expect(got.pop()).toMatchObject({ servingBundle: { datasets: [{ datasetId: stored, alias: "Train" }] } });
  });

  it("of a call that streams its answers", async () => {
    for await (const _ of createClient(RunMetricsService, transport).watchRunMetrics({ runId: id }));
    expect(got.pop()).toMatchObject({ runId: stored });
  });
});

describe("what the contract does not call an id", () => {
  it("keeps its letters", async () => {
    await createClient(EmailDraftService, transport).createEmailDraft({ subject: id, idempotencyKey: id });
    expect(got.pop()).toMatchObject({ subject: id, idempotencyKey: id });
  });

  it("stays absent where it was absent", async () => {
    await createClient(DeploymentService, transport).createCustomServingDeployment({});
    expect(got.pop()).not.toHaveProperty("servingBundle");
  });
});
