import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { ask, until } from "../mesh/rest.ts";
import { startHub } from "../notebooks/jupyterhub.ts";
import { stepsOf } from "./followed-page.ts";

const page = await readFile(fileURLToPath(new URL("../../docs/notebooks.md", import.meta.url)), "utf8");
const steps = stepsOf(page);
const lines = steps.flatMap(({ commands }) => commands.trim().split("\n"));

describe("the lines that reach a notebook server, as the page on notebooks has them", () => {
  const outputs: string[] = [];

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), "notebooks-page-"));
    await using parts = new AsyncDisposableStack();
    parts.defer(() => rm(directory, { recursive: true, force: true }));
    const hub = await startHub({ directory: join(directory, "hub"), echoUrl: "http://127.0.0.1:9" });
    parts.defer(() => hub.stop());
    const settings = {
      identity: { JUPYTERHUB_URL: hub.url, JUPYTERHUB_API_TOKEN: hub.apiToken },
      gateway: { JUPYTERHUB_URL: hub.url },
    };
    const options = { directory: join(directory, "platform"), trainer: false, settings };
    const { description } = parts.use(await startPlatform(options));
    const { body: session } = await ask(description, { path: "/notebooks/services/session/api/me" });
    const variables = { GATEWAY: description.gateway, TOKEN: description.bearer, NAME: session.identity.username };
    const env = { PATH: process.env["PATH"], ...variables };
    const type = async (line: string) => (await promisify(execFile)("bash", ["-euc", line], { env })).stdout;

    const [start = "", look = "", use = ""] = lines;
    outputs.push(await type(start));
    outputs.push(
      await until(
        "a running server",
        60,
        () => type(look),
        (text) => text.includes('"status":"running"'),
      ),
    );
    outputs.push(await type(use));
  }, 400_000);

  it("are three", () => {
    expect([steps.length, lines.length]).toEqual([1, 3]);
  });

  it("start a server, see it running, and talk to it", () => {
    const [started, seen, status] = outputs;
    expect(started).not.toContain("detail");
    expect(JSON.parse(seen ?? "").session.server_url).toMatch(/^\/notebooks\/user\//);
    expect(JSON.parse(status ?? "")).toMatchObject({ kernels: 0 });
  });
});
