import type { Caller } from "@aiplatform/caller-identity";
import { assertNone, type FieldViolation } from "@aiplatform/service-host";
import type { DatasetRef } from "../dataset-versions/dataset-version.ts";
import type { EmbeddingEndpoints } from "../embedding-endpoints/embedding-endpoints.ts";
import type { DatasetPredictions } from "../other-services/dataset-predictions.ts";
import type { DatasetsOfContent } from "../other-services/datasets-of-content.ts";
import type { EmbeddingRecipe, EndpointMaker } from "./embedding.ts";
import { assertMayExport } from "./export-permission.ts";
import { columnsOfInput } from "./row-inputs.ts";
import { sensitiveAmong } from "./sensitive-columns.ts";

/** What a request says of who makes the vectors. Empty: it says nothing. */
export interface SaidMaker {
  deploymentId: string;
  input: string;
  output: string;
  endpoint: string;
  model: string;
}

export interface MakerDependencies {
  predictions: Pick<DatasetPredictions, "assertMayAsk">;
  datasets: Pick<DatasetsOfContent, "sensitiveColumns">;
  endpoints: Pick<EmbeddingEndpoints, "of">;
}

type SaidField = keyof SaidMaker;

const fieldNames: Readonly<Record<SaidField, string>> = {
  ...{ deploymentId: "recipe.deployment_id", input: "recipe.input", output: "recipe.output" },
  ...{ endpoint: "recipe.endpoint", model: "recipe.model" },
};
/** What goes together: the first names who makes the vectors, and needs the others. */
const ofDeployment = ["deploymentId", "input", "output"] as const;
const ofEndpoint = ["endpoint", "model"] as const;

/** A deployment or an endpoint. @throws InvalidFieldsError */
export function makerOf(said: SaidMaker): EmbeddingRecipe["maker"] {
  const { deploymentId, input, output, endpoint, model } = said;
  if (deploymentId === "" && endpoint === "") {
    const description = "is missing: give a deployment_id, or the endpoint that makes the vectors";
    assertNone([{ field: fieldNames.deploymentId, reason: "EXACTLY_ONE", description }]);
  }
  if (endpoint !== "") {
    assertNone([...missing(said, ofEndpoint), ...besides(said, ofDeployment, "endpoint")]);
    return { kind: "endpoint", endpoint, model };
  }
  assertNone([...missing(said, ofDeployment), ...besides(said, ofEndpoint, "deployment_id")]);
  return { kind: "deployment", deploymentId, input, output };
}

function missing(said: SaidMaker, fields: readonly SaidField[]): FieldViolation[] {
  const [first = "endpoint", ...others] = fields;
  const owner = fieldNames[first].replace("recipe.", "");
  return others
    .filter((field) => said[field] === "")
    .map((field) => ({
      ...{ field: fieldNames[field], reason: "REQUIRED" },
      description: `is needed together with ${owner}`,
    }));
}

function besides(said: SaidMaker, fields: readonly SaidField[], owner: string): FieldViolation[] {
  return fields
    .filter((field) => said[field] !== "")
    .map((field) => ({
      ...{ field: fieldNames[field], reason: "NOT_TOGETHER" },
      description: `cannot be given together with ${owner}: leave one of them out`,
    }));
}

/**
 * That the caller may have rows sent there.
 * @throws ExportPermissionMissingError, InvalidFieldsError, DatasetsUnavailableError, DeploymentNotFoundError, DeploymentsUnavailableError,
 * and what deployments refuses
 */
export async function assertMayMake(
  { predictions, datasets, endpoints }: MakerDependencies,
  caller: Caller,
  dataset: DatasetRef,
  { maker, row }: Pick<EmbeddingRecipe, "maker" | "row">,
): Promise<void> {
  if (maker.kind === "deployment") return await predictions.assertMayAsk(caller, maker.deploymentId);
  // First: who may not send is not told where others may.
  assertMayExport(caller);
  assertNone(faultsOfEndpoint(maker, endpoints.of(dataset.organisationId)));
  if (row.kind === "column") {
    const description = "is sent to no endpoint: use a template instead, or a deployment";
    assertNone([{ field: "recipe.column", reason: "COLUMN_UNFIT", description }]);
  }
  const marked = await datasets.sensitiveColumns(dataset);
  assertNone(
    sensitiveAmong(columnsOfInput(row), marked).map((name) => ({
      ...{ field: "recipe.template", reason: "COLUMN_SENSITIVE" },
      description: `names ${JSON.stringify(name)}, which is marked sensitive and sent to no endpoint: leave it out, or use a deployment`,
    })),
  );
}

function faultsOfEndpoint(
  { endpoint: name, model }: EndpointMaker,
  allowed: ReturnType<EmbeddingEndpoints["of"]>,
): FieldViolation[] {
  const endpoint = allowed.find((each) => each.name === name);
  if (!endpoint) {
    const names = allowed.map((each) => JSON.stringify(each.name)).join(", ");
    const there = names === "" ? "the operator of the platform has set up none for it" : `there are ${names}`;
    const description = `is no endpoint that your organisation may send to: ${there}`;
    return [{ field: fieldNames.endpoint, reason: "ENDPOINT_UNKNOWN", description }];
  }
  if (endpoint.models.includes(model)) return [];
  const models = endpoint.models.map((each) => JSON.stringify(each)).join(", ");
  const description = `is no model of the endpoint: it has ${models}`;
  return [{ field: fieldNames.model, reason: "MODEL_UNKNOWN", description }];
}
