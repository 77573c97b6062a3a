import { DatasetMarkService } from "@aiplatform/contract/aiplatform/content/v1/dataset_marks";
import { DatasetService, SampleFormat } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { Outbox } from "@aiplatform/document-store";
import { createMeshTransport } from "@aiplatform/service-host";
import { assertedAs, failureOf } from "@aiplatform/testkit";
import { type Client, Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContentRig } from "./content-rig.ts";

const parts = new AsyncDisposableStack();
let rig: ContentRig;
let datasets: Client<typeof DatasetService>;
let globex: Client<typeof DatasetService>;
beforeAll(async () => {
  rig = parts.use(await ContentRig.start());
  datasets = rig.member().client(DatasetService);
  globex = rig.member({ organisationId: rig.globex }).client(DatasetService);
});
afterAll(async () => await parts.disposeAsync());

const newDataset = async () => {
  const { dataset } = await datasets.createDataset({ name: "people", columns: [{ name: "email" }] });
  return dataset?.id ?? "";
};

/** What the service is told that asks. */
async function told(by: string, datasetId: string, organisationId = rig.acme): Promise<string[]> {
  const addresses = rig.services[0]?.addresses.grpc ?? "";
  const transport = createMeshTransport({ addresses, interceptors: [assertedAs(by)] });
  try {
    const { columns } = await createClient(DatasetMarkService, transport).findSensitiveColumns({
      organisationId,
      datasetId,
    });
    return columns;
  } finally {
    transport.close();
  }
}

async function announced(datasetId: string): Promise<number> {
  const outbox = rig.store.database.collection(Outbox.indexes.collection);
  const data_schema = "aiplatform.events.v1.DatasetSensitiveColumnsSet";
  return await outbox.countDocuments({ entity_id: datasetId, data_schema });
}

describe("the sensitive columns of a dataset", () => {
  it("are none at first", async () => {
    const id = await newDataset();
    expect((await datasets.getDataset({ datasetId: id })).dataset?.sensitiveColumns).toEqual([]);
    expect(await told("data", id)).toEqual([]);
  });

  it("take the place of those before, and are announced when they change", async () => {
    const datasetId = await newDataset();
    for (const columns of [["email", "Phone"], ["Phone", "email"], ["Phone"]]) {
      const { dataset } = await datasets.setDatasetSensitiveColumns({ datasetId, columns });
      expect(dataset?.sensitiveColumns).toEqual(columns.toSorted());
      expect(await told("data", datasetId)).toEqual(columns.toSorted());
    }
    expect(await announced(datasetId)).toBe(2);
  });

  it("change where the same letters stand in other names", async () => {
    const datasetId = await newDataset();
    for (const columns of [
      ["a\nb", "c"],
      ["a", "b\nc"],
    ]) {
      await datasets.setDatasetSensitiveColumns({ datasetId, columns });
      expect(await told("data", datasetId)).toEqual(columns);
    }
    expect(await announced(datasetId)).toBe(2);
  });

  it("stay when columns are read from a sample", async () => {
    const datasetId = await newDataset();
    await datasets.setDatasetSensitiveColumns({ datasetId, columns: ["email"] });
    const sample = Buffer.from("b\n1\n");
    const { dataset } = await datasets.inferDatasetColumns({ datasetId, format: SampleFormat.CSV, sample });
    expect(dataset?.sensitiveColumns).toEqual(["email"]);
  });

  it("are refused where a name stands twice", async () => {
    const datasetId = await newDataset();
    const failure = await failureOf(datasets.setDatasetSensitiveColumns({ datasetId, columns: ["a", "b", "a"] }));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, fields: [["columns[2]", "NAME_REPEATED"]] });
  });

  it("are those of the organisation's own dataset", async () => {
    const datasetId = await newDataset();
    const failure = await failureOf(globex.setDatasetSensitiveColumns({ datasetId, columns: ["a"] }));
    expect(failure).toMatchObject({ code: Code.NotFound });
    expect(await failureOf(told("data", datasetId, rig.globex))).toMatchObject({ code: Code.NotFound });
  });

  it("are told to the data service, and to no other", async () => {
    const datasetId = await newDataset();
    expect(await failureOf(told("training", datasetId))).toMatchObject({ code: Code.PermissionDenied });
  });
});
