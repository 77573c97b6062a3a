import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, type Json, until } from "../mesh/rest.ts";
import { docker, requireDocker } from "./docker.ts";
import { type ImageMesh, serviceNames, startImageMesh } from "./image-mesh.ts";
import { provideBases } from "./local-bases.ts";

const root = join(import.meta.dirname, "..", "..");
/** Images that are there already are taken as they are. */
const given = process.env["IMAGES_TAG"];
const tag = given ?? "test";
const imageNames = [...serviceNames, "serving-runtime"] as const;
const buildsWithinMs = 1_800_000;
const imageOf = (name: string) => `aiplatform/${name}:${tag}`;

let mesh: ImageMesh;
let apiKey: string;

beforeAll(async () => {
  await requireDocker();
  const options = await provideBases();
  if (!given) await buildImages(options);
  mesh = await startImageMesh(tag);
}, buildsWithinMs);
afterAll(async () => await mesh?.[Symbol.asyncDispose](), 120_000);

async function buildImages(options: readonly string[]): Promise<void> {
  const script = [join(root, "scripts", "images.ts"), "--tag", tag, "--", ...options];
  await promisify(execFile)(process.execPath, script, { maxBuffer: 2 ** 28 });
}

const gateway = () => mesh.url("gateway", 8_080);
const reachable = () => ({ gateway: gateway(), bearer: apiKey, pipeline_id: "", run_id: "", job_name: "" });

async function inspected(name: string): Promise<Json> {
  return JSON.parse(await docker("image", "inspect", imageOf(name)))[0];
}

/** Runs a program of an image instead of its own; answers what it says, rejects where it fails. */
function inside(name: string, program: string, ...args: string[]): Promise<string> {
  return docker("run", "--rm", "--read-only", "--network=none", "--entrypoint", program, imageOf(name), ...args);
}

const inNode = (name: string, script: string) => inside(name, "/nodejs/bin/node", "--print", script);

describe.each(imageNames)("the image of %s", (name) => {
  it("runs as a user without privileges, checks its health, and says what it is", async () => {
    const { Config } = await inspected(name);
    expect(Config.User).toBe("65532:65532");
    expect(Config.Healthcheck.Test).toEqual(["CMD", "/nodejs/bin/node", "/app/health.js"]);
    expect(Config.Entrypoint).toEqual(["/nodejs/bin/node", "/app/main.js"]);
    expect(Config.Labels).toMatchObject({
      "org.opencontainers.image.title": `aiplatform-${name}`,
      "org.opencontainers.image.version": "0.1.0",
      "org.opencontainers.image.revision": expect.stringMatching(/^[0-9a-f]{40}|^unknown$/),
      "org.opencontainers.image.licenses": "Apache-2.0",
    });
  });

  it.each(["/bin/sh", "/bin/bash", "/usr/bin/apt", "/bin/busybox", "npm"])("has no %s", async (program) => {
    await expect(inside(name, program, "--help")).rejects.toThrow(/executable file not found|no such file/);
  });

  it("owns nothing of what it runs", async () => {
    const owners = await inNode(
      name,
      "[...new Set(fs.readdirSync('/app', { recursive: true }).map((p) => fs.statSync('/app/' + p).uid))].join()",
    );
    expect(owners).toBe("0");
  });

  it("holds production packages and no others, and says which with their licences", async () => {
    const bill: Json = JSON.parse(await inNode(name, "fs.readFileSync('/app/sbom.cdx.json', 'utf8')"));
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: `aiplatform-${name}` } } });
    const names: string[] = bill.components.map((component: Json) => component.name);
    expect(names).toContain("@bufbuild/protobuf");
    const unwanted =
      /^(vitest|@vitest|vite|typescript|esbuild|@biomejs|testcontainers|fast-check|@types|node-linux|undici-types)/;
    expect(names.filter((each) => unwanted.test(each))).toEqual([]);
    const licences = await inNode(name, "fs.readFileSync('/app/third-party-licences.txt', 'utf8')");
    const missing = bill.components.filter((each: Json) => !licences.includes(`${each.name} ${each.version} (`));
    expect(missing).toEqual([]);
  });
});

describe("the platform from its images, on read-only roots and without rights", () => {
  it.each(serviceNames)("has %s alive and ready, and healthy for Docker", async (name) => {
    for (const page of ["livez", "readyz"]) expect((await fetch(`${mesh.url(name, 9_090)}/${page}`)).status).toBe(200);
    const id = mesh.services.get(name)?.container.getId() ?? "";
    const health = () => docker("inspect", "--format", "{{.State.Health.Status}}", id);
    await until(`${name} to be healthy`, 40, health, (status) => status === "healthy");
  });

  it("makes an organisation with the operator key, which identity has from a file", async () => {
    const administrator = { display_name: "Ada", email: "ada@example.com" };
    const made = await ask(
      { ...reachable(), bearer: mesh.operatorKey },
      { path: "/platform/organisations", body: { slug: "images", name: "Images", administrator } },
    );
    expect([made.status, made.text]).toEqual([201, expect.stringContaining("aip_")]);
    apiKey = made.body.api_key_secret;
  });

  it("takes operation 1 through the gateway", async () => {
    const runs = createClient(
      RunService,
      createConnectTransport({ baseUrl: mesh.url("training", 8_080), httpVersion: "1.1" }),
    );
    const options = { headers: { authorization: `Bearer ${apiKey}` } };
    const { pipeline } = await runs.createPipeline({ name: "images" }, options);
    const jobs = [{ name: "fit", primaryMetric: "loss", primaryMetricGoal: 2 }];
    const { run } = await runs.createRun({ pipelineId: pipeline?.id ?? "", name: "first", jobs }, options);
    const { status, body } = await ask(reachable(), {
      path: `/pipelines/${pipeline?.id}/runs/${run?.id}/training/fit/commands`,
      body: { action: "pause", idempotency_key: randomUUID() },
    });
    expect([status, body.action, body.status]).toEqual([201, "pause", "pending"]);
  });

  it("shows the whole reference", async () => {
    const page = await ask(reachable(), { path: "/docs" });
    const assets = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(assets.length).toBeGreaterThan(2);
    for (const path of [...assets, "/openapi.json"]) {
      const { status, text } = await ask(reachable(), { path });
      expect([path, status, text.length > 200]).toEqual([path, 200, true]);
    }
  });

  it("runs what answers predictions, as processes of deployments", async () => {
    const bundle = {
      schema_version: "serving.v1",
      name: "Doubles",
      runtime: { type: "prebuilt", value: "node" },
      interface: { input: { type: "object" }, output: { type: "object" } },
      artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
    };
    const content = "export default async ({ value }) => ({ twice: 2 * value });";
    const made = await ask(reachable(), {
      path: "/deployments/custom-serving/",
      body: {
        name: "Doubles",
        serving_bundle: bundle,
        model_refs: [],
        artifacts: [{ name: "handler", content, content_type: "text/javascript" }],
      },
    });
    const { id, service_name } = made.body;
    const deployment = () => ask(reachable(), { path: `/platform/deployments/${id}` });
    await until("the deployment to run", 60, deployment, ({ body }) => body?.status === "Running");
    const path = `/platform/deployments/${id}/v2/models/${service_name}/infer`;
    const answer = await ask(reachable(), { path, body: { input: { value: 21 } } });
    expect([answer.status, answer.body.output]).toEqual([200, { twice: 42 }]);
  });

  it.each(serviceNames)(
    "finds with --check in the image of %s what is wrong with its surroundings: nothing",
    async (name) => {
      const id = mesh.services.get(name)?.container.getId() ?? "";
      expect(await docker("exec", id, "/nodejs/bin/node", "/app/main.js", "--check")).toContain(" 0 failed");
    },
  );

  it("needs no second to stop more than it may: on SIGTERM each ends with code 0", async () => {
    const rows: string[] = [];
    for (const name of [...serviceNames].reverse()) {
      const service = mesh.services.get(name);
      const id = service?.container.getId() ?? "";
      const started = performance.now();
      await docker("stop", "--time", "25", id);
      const stopMs = performance.now() - started;
      const [{ State, Config }]: Json = JSON.parse(await docker("inspect", id));
      expect([name, State.ExitCode, State.OOMKilled]).toEqual([name, 0, false]);
      const { Size } = await inspected(name);
      const readyS = ((service?.readyMs ?? 0) / 1_000).toFixed(1);
      rows.push(
        `| ${Config.Image.replace(/:.*/, "")} | ${Math.round(Size / 1e6)} MB | ${readyS} s | ${(stopMs / 1_000).toFixed(1)} s |`,
      );
    }
    process.stdout.write(`${["| image | size | ready after | stopped after |", ...rows.sort()].join("\n")}\n`);
  }, 180_000);
});

describe("the image of serving-runtime", () => {
  it("refuses to do anything else than to fetch and to serve", async () => {
    await expect(docker("run", "--rm", imageOf("serving-runtime"))).rejects.toThrow("must be fetch or serve");
  });

  it("loads the engine that models need", async () => {
    const load =
      "require('/app/serving-runtime/node_modules/onnxruntime-node/dist/index.js').listSupportedBackends().length > 0";
    expect(await inNode("serving-runtime", load)).toBe("true");
  });
});
