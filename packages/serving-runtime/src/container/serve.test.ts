import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManifestError } from "../manifest.ts";
import { containerCommand } from "./serve.ts";

const manifest = {
  ...{ runtime: "onnx", model_name: "digits", version: "1", concurrency: 4, timeout_ms: 5_000, memory_mb: 256 },
  network: false,
};

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "container-")));
  mkdirSync(join(root, "files"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Settings as a cluster mounts them: links to links, so that they can be replaced as one. */
function mount(contents: object, files: string[]) {
  const settings = join(root, "settings");
  mkdirSync(join(settings, "..data-1"), { recursive: true });
  symlinkSync("..data-1", join(settings, "..data"));
  const list = files.map((path) => ({ path, sha256: "a".repeat(64), sizeBytes: 1 }));
  const texts = {
    token: "a token of some length",
    "manifest.json": JSON.stringify(contents),
    "files.json": JSON.stringify({ url: "http://deployments:8081/", files: list }),
  };
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(settings, "..data-1", name), text);
    symlinkSync(join("..data", name), join(settings, name));
  }
  return { directory: join(root, "files"), settings, certificate: join(root, "certificate") };
}

describe("the runtime in a container", () => {
  it("is told where everything really lies", () => {
    const { args, env } = containerCommand({}, mount(manifest, ["model.onnx"]));
    const manifestPath = join(root, "settings", "..data-1", "manifest.json");
    expect(env).toMatchObject({ SERVING_DIRECTORY: join(root, "files"), SERVING_MANIFEST: manifestPath });
    expect(args).toContain(`--allow-fs-read=${manifestPath}`);
  });

  it("listens on all interfaces at the container's ports, and takes as long to end as a prediction may", () => {
    const { env } = containerCommand({}, mount(manifest, []));
    expect(env).toMatchObject({ HOST: "0.0.0.0", PORT: "8000", GRPC_PORT: "8001", SHUTDOWN_GRACE_MS: "6000" });
  });

  it("takes TLS at another port where a certificate is mounted", () => {
    const place = mount(manifest, []);
    mkdirSync(place.certificate);
    const { args, env } = containerCommand({}, place);
    const files = {
      TLS_CERT_FILE: join(place.certificate, "tls.crt"),
      TLS_KEY_FILE: join(place.certificate, "tls.key"),
    };
    expect(env).toMatchObject({ PORT: "8443", ...files });
    expect(args).toContain(`--allow-fs-read=${place.certificate}`);
  });

  it("gets nothing of the container's environment but what is meant for it", () => {
    const { env } = containerCommand({ MAX_BODY_BYTES: "1024", NODE_OPTIONS: "--inspect" }, mount(manifest, []));
    expect(env["MAX_BODY_BYTES"]).toBe("1024");
    expect(env).not.toHaveProperty("NODE_OPTIONS");
  });

  it.each([
    ["may load natives where there is a model", ["handler.mjs", "models/digits.onnx"], true],
    ["may load none where there is no model", ["handler.mjs"], false],
  ])("%s", (_what, files, expected) => {
    expect(containerCommand({}, mount(manifest, files)).args.includes("--allow-addons")).toBe(expected);
  });

  it("does not start with a manifest that is none", () => {
    const place = mount({ ...manifest, runtime: "python" }, []);
    expect(() => containerCommand({}, place)).toThrow(ManifestError);
  });
});
