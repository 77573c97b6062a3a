import { GroupingStatus } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { connectDocumentStore } from "@aiplatform/document-store";
import { createMeshTransport } from "@aiplatform/service-host";
import { describe, expect, it } from "@jest/globals";
import { readConfig } from "../src/config.ts";
import { startIdentityProcess } from "./identity-process.ts";
import { clientsOver, identityEnvironment, type Shown, showing } from "./identity-rig.ts";
import {
  announced,
  contentOf,
  type Founding,
  foundOrganisation,
  registered,
  settledAs,
} from "./workspace-organisation.ts";

/** Calls to one process, until disposed of. */
function callsTo({ addresses }: { addresses: { grpc: string } }): Founding & Disposable {
  const made = new DisposableStack();
  const as = (shown: Shown) => {
    const transport = createMeshTransport({ addresses: addresses.grpc, interceptors: [showing(shown)] });
    made.defer(() => transport.close());
    return clientsOver(transport);
  };
  return { as, [Symbol.dispose]: () => made.dispose() };
}

describe("identity killed in the middle of a grouping run", () => {
  it("takes the run up again when it is back: all of it is there, once", async () => {
    const environment = identityEnvironment([]);
    const config = readConfig(environment);
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = config;
    await using store = await connectDocumentStore({ uri, database, appName: "identity tests" });
    await using parts = new AsyncDisposableStack();
    parts.defer(() => store.database.dropDatabase().then(() => undefined));

    const first = parts.use(await startIdentityProcess(environment));
    const before = parts.use(callsTo(first));
    const acme = await foundOrganisation(before);
    await acme.workspaces.updateWorkspaceSettings({ workspacesEnabled: true });
    await registered(acme, "Churn model");
    await registered(acme, "Churn report");

    // A transaction of ours holds the assets, so that the run cannot get past them.
    const session = store.client.startSession();
    session.startTransaction();
    await store.database.collection("assets").updateMany({}, { $set: { held: true } }, { session });
    await acme.workspaces.startGrouping({});
    await settledAs(acme, GroupingStatus.RUNNING);
    await first.kill();
    await session.abortTransaction();
    await session.endSession();
    const settings = await store.database.collection("workspace_settings").findOne({ organisation_id: acme.id });
    expect(settings).toMatchObject({ grouping_status: "running", last_grouping_completed_at: null });

    const second = parts.use(await startIdentityProcess(environment));
    const after = parts.use(callsTo(second)).as({ apiKey: acme.apiKey });
    const settled = await settledAs(after, GroupingStatus.SUCCEEDED, GroupingStatus.FAILED);
    expect(settled.groupingStatus).toBe(GroupingStatus.SUCCEEDED);
    const { workspaces } = await after.workspaces.listWorkspaces({});
    expect(workspaces).toEqual([expect.objectContaining({ name: "churn", assetCount: 2 })]);
    expect(await contentOf(after, workspaces[0]?.id ?? "")).toHaveLength(2);
    const events = (await announced({ config }, acme.id)).filter(({ happened }) => happened.endsWith("finished"));
    expect(events).toHaveLength(1);
  }, 120_000);
});
