import { services } from "@aiplatform/contract/services";
import { describe, expect, it } from "@jest/globals";
import { describePermissions } from "./describe-permissions.ts";
import { platformPermissions } from "./permission-catalogue.ts";

const described = describePermissions(services);
const rpcsOf = (id: string) => described.find((permission) => permission.id === id)?.rpcs;

describe("the description of the permissions", () => {
  it("has every permission of the catalogue once, by id", () => {
    expect(described.map(({ id }) => id)).toEqual([...platformPermissions()].sort());
  });

  it("names what each opens, in the contract's order", () => {
    expect(rpcsOf("apikeys:manage")).toEqual(
      ["CreateApiKey", "ListApiKeys", "GetApiKey", "RotateApiKey", "RevokeApiKey"].map(
        (name) => `aiplatform.identity.v1.ApiKeyService/${name}`,
      ),
    );
  });

  it("names the RPCs that need it in some situations only", () => {
    expect(rpcsOf("training:override")).toEqual([
      "aiplatform.training.v1.ControlCommandService/CreateTrainingControlCommand",
    ]);
  });

  it("leaves no permission that opens nothing", () => {
    expect(described.filter(({ rpcs }) => rpcs.length === 0)).toEqual([]);
  });
});
