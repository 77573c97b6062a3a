import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";

const freePort = fileURLToPath(new URL("../src/infra/ports/free-port.ts", import.meta.url));
const choose = `
  const { freePorts } = await import(${JSON.stringify(freePort)});
  console.log(JSON.stringify(await freePorts(Array(600).fill(0))));
  process.stdin.resume();`;

const running = new Set<ReturnType<typeof chooser>>();
function chooser() {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", choose], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ports = once(createInterface(child.stdout), "line").then(([line]): number[] => JSON.parse(line));
  return { child, ports };
}

afterEach(async () => {
  for (const { child } of running) {
    child.stdin.end();
    if (child.exitCode === null) await once(child, "close");
  }
  running.clear();
});

describe("two processes that choose ports for what they will start later", () => {
  it("never choose the same one", async () => {
    const first = chooser();
    const second = chooser();
    running.add(first).add(second);
    const ports = [...(await first.ports), ...(await second.ports)];
    expect(new Set(ports).size).toBe(1_200);
  });
});
