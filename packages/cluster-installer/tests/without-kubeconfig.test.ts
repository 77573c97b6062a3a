import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../src/main.ts");
let directory: string;

/** What kubectl 1.34 says without a kubeconfig, beside a gateway that answers at localhost:8080. */
const fakeKubectl = `#!/bin/sh
case "$*" in
  "config view"*) echo "error: current-context must exist in order to minify" >&2 ;;
  *) echo "E1123 memcache.go:265 couldn't get current server API group list" >&2
     echo "Error from server (NotFound): the server could not find the requested resource" >&2 ;;
esac
exit 1
`;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kubectl-"));
  writeFileSync(join(directory, "kubectl"), fakeKubectl);
  chmodSync(join(directory, "kubectl"), 0o755);
});
afterAll(() => rmSync(directory, { recursive: true }));

function k8s(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const { KUBECONFIG: _, KUBERNETES_SERVICE_HOST: __, ...env } = process.env;
  const PATH = `${directory}${delimiter}${env["PATH"]}`;
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env: { ...env, PATH } }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

describe("npm run k8s without a kubeconfig, which answered with the 404 of the platform's own gateway", () => {
  it.each([
    ["status", []],
    ["organisation", ["--slug", "a", "--name", "A", "--administrator", "a@example.org"]],
    ["install", ["--built"]],
    ["uninstall", ["--yes"]],
  ])("says at %s that no cluster is chosen, and what to do", async (command, args) => {
    const { code, stdout, stderr } = await k8s(command, ...args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(/^No cluster is chosen \(.*\): set KUBECONFIG .* --context\.$/m);
  });
});
