import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { services } from "@aiplatform/contract/services";
import { describe, expect, it } from "vitest";
import { systemRolesOf } from "../roles/system-roles.ts";
import { describePermissions, platformPermissions } from "./permission-catalogue.ts";

const generated = fileURLToPath(new URL("../../../../packages/contract/gen/aiplatform/", import.meta.url));

describe("the catalogue of permissions", () => {
  it("covers every service that the contract declares", async () => {
    const files = globSync("**/*_pb.js", { cwd: generated });
    const modules: object[] = await Promise.all(files.map((file) => import(`${generated}${file}`)));
    const declared = modules
      .flatMap((module) => Object.values(module))
      .filter((value) => value?.kind === "service")
      .map((service) => service.typeName);
    expect(declared.length).toBeGreaterThan(0);
    expect(services.map(({ typeName }) => typeName).sort()).toEqual(declared.sort());
  });

  it("holds what an RPC needs always, and what it needs in one situation only", () => {
    expect([...platformPermissions()]).toEqual(expect.arrayContaining(["training:command", "training:override"]));
  });

  it("holds only permissions of the form resource:action", () => {
    for (const permission of platformPermissions()) expect(permission).toMatch(/^[a-z]+:[a-z]+$/);
  });

  it("holds all that system roles grant", () => {
    const catalogue = platformPermissions();
    const granted = systemRolesOf("acme", catalogue).flatMap((role) => role.permissionIds);
    expect(granted.filter((permission) => !catalogue.has(permission))).toEqual([]);
  });
});

const described = describePermissions(services);
const rpcsOf = (id: string) => described.find((permission) => permission.id === id)?.rpcs;

describe("the description of the permissions", () => {
  it("has every permission of the catalogue once, by id", () => {
    expect(described.map(({ id }) => id)).toEqual([...platformPermissions()].sort());
  });

  it("names what each opens, in the contract's order", () => {
    expect(rpcsOf("apikeys:manage")).toEqual(
      ["CreateApiKey", "ListApiKeys", "GetApiKey", "RotateApiKey", "RevokeApiKey", "GetApiKeyPolicy"].map(
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
