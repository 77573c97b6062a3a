import { GroupingStatus } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { connectDocumentStore } from "@aiplatform/document-store";
import { newTestEnvironment, ServiceProcess } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { clientsOf, identityEnvironment, program } from "./identity-rig.ts";
import { announced, contentOf, foundOrganisation, registered, settledAs } from "./workspace-organisation.ts";

describe("identity killed in the middle of a grouping run", () => {
  it("takes the run up again when it is back: all of it is there, once", async () => {
    const home = newTestEnvironment("identity");
    const environment = identityEnvironment([], home);
    const config = readConfig(environment);
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = config;
    await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
    await using parts = new AsyncDisposableStack();
    parts.defer(() => store.database.dropDatabase().then(() => undefined));

    const service = parts.use(await new ServiceProcess({ program, home, settings: environment }).start());
    const as = clientsOf({ addresses: { grpc: service.address } }, parts);
    const acme = await foundOrganisation({ as });
    await acme.workspaces.updateWorkspaceSettings({ workspacesEnabled: true });
    await registered(acme, "Churn model");
    await registered(acme, "Churn report");

    // A transaction of ours holds the assets, so that the run cannot get past them.
    const session = store.client.startSession();
    session.startTransaction();
    await store.database.collection("assets").updateMany({}, { $set: { held: true } }, { session });
    await acme.workspaces.startGrouping({});
    await settledAs(acme, GroupingStatus.RUNNING);
    await service.kill();
    await session.abortTransaction();
    await session.endSession();
    const settings = await store.database.collection("workspace_settings").findOne({ organisation_id: acme.id });
    expect(settings).toMatchObject({ grouping_status: "running", last_grouping_completed_at: null });

    await service.start();
    const after = as({ apiKey: acme.apiKey });
    const settled = await settledAs(after, GroupingStatus.SUCCEEDED, GroupingStatus.FAILED);
    expect(settled.groupingStatus).toBe(GroupingStatus.SUCCEEDED);
    const { workspaces } = await after.workspaces.listWorkspaces({});
    expect(workspaces).toEqual([expect.objectContaining({ name: "churn", assetCount: 2 })]);
    expect(await contentOf(after, workspaces[0]?.id ?? "")).toHaveLength(2);
    const events = (await announced({ config }, acme.id)).filter(({ happened }) => happened.endsWith("finished"));
    expect(events).toHaveLength(1);
  }, 120_000);
});
