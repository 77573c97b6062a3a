import {
  DeploymentVersionSchema,
  ServingBundleSchema,
  type DeploymentVersion as VersionMessage,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { create, fromJsonString } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { presentFields } from "../present-fields.ts";
import type { DeploymentVersion } from "./deployment-version.ts";

export function deploymentVersionMessage(version: DeploymentVersion): VersionMessage {
  const { id, deploymentId, number, modelVersionId, runtime, digest, bundleText, createdAt } = version;
  const servingBundle = bundleText === undefined ? undefined : fromJsonString(ServingBundleSchema, bundleText);
  return create(DeploymentVersionSchema, {
    id,
    deploymentId,
    number,
    runtime,
    digest,
    ...presentFields({ modelVersionId, servingBundle }),
    createdAt: timestampFromDate(createdAt),
  });
}
