import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createFileRegistry, type DescMessage, type DescService, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const run = promisify(execFile);
const root = new URL("../../../", import.meta.url).pathname;
const workspace = "version: v2\nmodules:\n  - path: annotations\n  - path: third_party\n  - path: tests\n";

/** Descriptors of `.proto` sources, compiled by buf together with the contract's annotations. */
export interface CompiledProto {
  service(name: string): DescService;
  message(name: string): DescMessage;
}

export async function compileProto(files: Readonly<Record<string, string>>): Promise<CompiledProto> {
  const directory = await mkdtemp(join(tmpdir(), "transcoder-proto-"));
  try {
    await cp(join(root, "proto/transcoder"), join(directory, "annotations/transcoder"), { recursive: true });
    await cp(join(root, "third_party/proto"), join(directory, "third_party"), { recursive: true });
    await mkdir(join(directory, "tests"));
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, "tests", name), text);
    await writeFile(join(directory, "buf.yaml"), workspace);
    const image = join(directory, "image.binpb");
    await run(join(root, "node_modules/.bin/buf"), ["build", "--as-file-descriptor-set", "-o", image], {
      cwd: directory,
    });
    const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, await readFile(image)));
    return {
      service: (name) => found(registry.getService(name), name),
      message: (name) => found(registry.getMessage(name), name),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Compiles a file that stands beside the tests. */
export async function compileProtoFile(name: string): Promise<CompiledProto> {
  return compileProto({ [name]: await readFile(new URL(name, import.meta.url), "utf8") });
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`${name} is not declared`);
  return value;
}
