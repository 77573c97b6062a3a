import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { services } from "@aiplatform/contract/services";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modules, root } from "./packed.ts";

const run = promisify(execFile);
const buf = join(modules, ".bin", "buf");

let directory: string;
let files: string[];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "published-"));
  await run(process.execPath, [join(root, "scripts/package-contract.ts"), "--out", directory]);
  files = await readdir(directory);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const made = (pattern: RegExp) => files.find((name) => pattern.test(name)) ?? "absent";
/** Every RPC of a descriptor set, and whether it has the types of error details. */
async function contentsOf(descriptors: string) {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, await readFile(descriptors)));
  const found = services.map(({ typeName }) => registry.getService(typeName));
  return {
    rpcs: found.flatMap((service) => service?.methods.map(({ name }) => `${service.typeName}/${name}`) ?? []),
    knowsErrors: registry.getMessage("google.rpc.ErrorInfo") !== undefined,
  };
}
const all = {
  rpcs: services.flatMap(({ typeName, methods }) => methods.map(({ name }) => `${typeName}/${name}`)),
  knowsErrors: true,
};

describe("the contract as a release has it", () => {
  it("is an archive of proto files that compiles alone, to every RPC", async () => {
    await run("tar", ["-xzf", made(/^aiplatform-proto-.+\.tar\.gz$/)], { cwd: directory });
    const alone = made(/^aiplatform-proto-.+\.tar\.gz$/).replace(/\.tar\.gz$/, "");
    const compiled = join(directory, "compiled.binpb");
    await run(buf, ["build", "--as-file-descriptor-set", "--output", compiled], { cwd: join(directory, alone) });
    expect(await contentsOf(compiled)).toEqual(all);
  });

  it("is a descriptor set of every RPC", async () => {
    expect(await contentsOf(join(directory, made(/^aiplatform-descriptors-.+\.binpb$/)))).toEqual(all);
  });
});
