import { readFile } from "node:fs/promises";
import { mainNamespace } from "@aiplatform/cluster-installer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterOfKubeconfig, provideVolumes, removeEverything, runLine } from "./cluster-surroundings.ts";

const page = await readFile(new URL("../../k8s/README.md", import.meta.url), "utf8");
const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
const [installLine = "", statusLine = "", uninstallLine = "", ...others] = block.trim().split("\n");

const kubectl = clusterOfKubeconfig();

beforeAll(async () => {
  await removeEverything(kubectl);
  await provideVolumes(kubectl);
});
afterAll(() => removeEverything(kubectl));

interface Named {
  metadata: { name: string; uid: string; generation?: number; resourceVersion: string };
}

const namesAndVersions = async (kind: string) => {
  const list = await kubectl.read<{ items: Named[] }>(["get", kind, "--namespace", mainNamespace]);
  return (list?.items ?? []).map(({ metadata: { name, uid, generation } }) => [name, uid, generation]);
};
const secretVersions = async () => {
  const list = await kubectl.read<{ items: Named[] }>(["get", "secrets", "--namespace", mainNamespace]);
  return (list?.items ?? []).map(({ metadata: { name, uid, resourceVersion } }) => [name, uid, resourceVersion]);
};

describe("the commands of k8s/README.md, one after the other", () => {
  it("are three", () => {
    expect([installLine, statusLine, uninstallLine]).toEqual([
      expect.stringContaining("install"),
      expect.stringContaining("status"),
      expect.stringContaining("uninstall"),
    ]);
    expect(others).toEqual([]);
  });

  it("install the platform, say of each part that it is rolled out, and what to do next", async () => {
    const { code, stdout, stderr } = await runLine(installLine);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
    for (const part of ["mongodb", "nats", "gateway", "identity", "training", "content", "deployments", "data"]) {
      expect(stderr).toContain(`/${part} is rolled out`);
    }
    expect(stdout).toContain("port-forward service/gateway 8080");
  });

  it("change nothing when they are repeated: no secret, no object, no pod", async () => {
    const before = [await secretVersions(), await namesAndVersions("deployments,statefulsets,pods,configmaps")];
    const { code, stderr } = await runLine(installLine);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("all secrets are there") });
    expect([await secretVersions(), await namesAndVersions("deployments,statefulsets,pods,configmaps")]).toEqual(
      before,
    );
  });

  it("bring back what was deleted, also a secret", async () => {
    const [, identity] = [await secretVersions(), "aiplatform-identity"];
    await kubectl.run(["delete", "deployment/gateway", `secret/${identity}`, "--namespace", mainNamespace]);
    const broken = await runLine(statusLine);
    expect(broken.stdout).not.toContain("gateway");
    const { code, stderr } = await runLine(installLine);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(`created: ${identity}`) });
  });

  it("say how every part is", async () => {
    const { code, stdout } = await runLine(statusLine);
    expect(code).toBe(0);
    expect(stdout.match(/1\/1 .* yes/g)).toHaveLength(7);
  });

  it("take the platform away, and leave what cannot be made again", async () => {
    const secrets = await secretVersions();
    expect(await runLine(uninstallLine)).toMatchObject({ code: 0 });
    expect(await namesAndVersions("deployments,statefulsets,services,configmaps")).toEqual([
      ["kube-root-ca.crt", expect.any(String), undefined],
    ]);
    expect((await namesAndVersions("persistentvolumeclaims")).map(([name]) => name)).toEqual([
      "artifacts",
      "data-mongodb-0",
      "data-nats-0",
    ]);
    expect(await secretVersions()).toEqual(secrets);
    expect(await runLine(statusLine)).toMatchObject({ code: 1 });
  });
});

describe("what the command cannot do", () => {
  it.each([
    [
      "without a kubectl",
      "PATH=$(dirname $(command -v node)) node packages/cluster-installer/src/main.ts status",
      "There is no kubectl on the PATH",
    ],
    ["without a cluster", "KUBECONFIG=/dev/null npm run -s k8s -- install", "No cluster answers"],
    ["to a context that there is not", "npm run -s k8s -- install --context elsewhere", "No cluster answers"],
    ["without a terminal", "npm run -s k8s -- uninstall", "There is no terminal to ask on"],
    ["with --load that takes no archive", "npm run -s k8s -- install --load docker", "{archive}"],
  ])("it does not, %s: it says so in a sentence", async (_, line, sentence) => {
    const { code, stderr } = await runLine(line);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
    expect(stderr).not.toContain("    at ");
  });
});
