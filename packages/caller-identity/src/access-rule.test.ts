import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { Health } from "@aiplatform/contract/grpc/health/v1/health";
import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, file_google_protobuf_empty } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { AccessUndeclaredError, accessRule, assertAccessDeclared, permissionCatalogue } from "./access-rule.ts";

describe("the access rule of an RPC", () => {
  it("is what the contract declares", () => {
    expect(accessRule(CredentialService.method.exchangeCredential)).toEqual({ kind: "public" });
    expect(accessRule(TrainerService.method.attach)).toEqual({ kind: "permission", permission: "metrics:report" });
  });

  it("of health is public without a declaration", () => {
    expect(accessRule(Health.method.check)).toEqual({ kind: "public" });
  });
});

describe("a service with an RPC that declares no rule", () => {
  const empty = ".google.protobuf.Empty";
  const file = {
    name: "x.proto",
    package: "x",
    dependency: ["google/protobuf/empty.proto"],
    service: [{ name: "S", method: [{ name: "Open", inputType: empty, outputType: empty }] }],
  };
  const set = create(FileDescriptorSetSchema, { file: [file_google_protobuf_empty.proto, file] });
  const service = createFileRegistry(set).getService("x.S");

  it("is refused at start, by name", () => {
    if (!service) throw new Error("no service");
    expect(() => assertAccessDeclared([CredentialService, Health, service])).toThrow(AccessUndeclaredError);
    expect(() => assertAccessDeclared([service])).toThrow("x.S/Open");
  });
});

describe("the catalogue of permissions", () => {
  it("holds what RPCs need and what some requests need besides, sorted and once", () => {
    const catalogue = permissionCatalogue([TrainerService, ControlCommandService]);
    expect(catalogue).toEqual([...new Set(catalogue)].sort());
    expect(catalogue).toEqual(expect.arrayContaining(["metrics:report", "training:command", "training:override"]));
  });
});
