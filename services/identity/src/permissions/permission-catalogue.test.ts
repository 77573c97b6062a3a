import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { event } from "@aiplatform/contract/aiplatform/events/v1/event";
import { events } from "@aiplatform/contract/events";
import { services } from "@aiplatform/contract/services";
import { route } from "@aiplatform/contract/transcoder/v1/route";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
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
    const inPart = [
      "ControlCommandService/CreateTrainingControlCommand",
      "ControlCommandService/CommandJobs",
      "ControlCommandService/PauseJob",
      "SupervisionLeaseService/AcquireSupervisionLease",
    ];
    expect(rpcsOf("training:override")).toEqual(inPart.map((name) => `aiplatform.training.v1.${name}`));
  });

  it("leaves no permission that opens nothing", () => {
    expect(described.filter(({ rpcs }) => rpcs.length === 0)).toEqual([]);
  });
});

describe("the permission that reading an event needs", () => {
  /** Permissions that reading over REST needs, of what a domain owns and of the audit log. */
  const reading = (domain: string) => {
    const methods = services
      .filter(({ typeName }) => typeName.startsWith(`aiplatform.${domain}.`))
      .flatMap((service) => service.methods)
      .filter(({ idempotency }) => idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
      .filter((method) => hasOption(method, route));
    return ["audit:read", ...methods.map((method) => getOption(method, access).rule.value)];
  };

  it("is said of every event, and is one of the catalogue", () => {
    const catalogue = platformPermissions();
    const lacking = events.filter((schema) => !catalogue.has(getOption(schema, event).readPermission));
    expect(lacking.map(({ typeName }) => typeName)).toEqual([]);
  });

  it("is the one that an operation needs which reads what the event's service owns, or the audit log", () => {
    const strange = events.filter((schema) => {
      const { domain, readPermission } = getOption(schema, event);
      return !reading(domain).includes(readPermission);
    });
    expect(strange.map(({ typeName }) => typeName)).toEqual([]);
  });
});
