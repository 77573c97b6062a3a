import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { services } from "@aiplatform/contract/services";
import { describe, expect, it } from "@jest/globals";
import { systemRolesOf } from "../roles/system-roles.ts";
import { platformPermissions } from "./permission-catalogue.ts";

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
