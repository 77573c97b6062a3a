import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { listenOnLoopback, programEnvironment, serviceKeyFiles } from "@aiplatform/testkit";
import { afterEach, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));
/** Where no service is: the gateway starts without them, and says so as dependencies. */
const away = "127.0.0.1:1";
const services = ["IDENTITY", "TRAINING", "CONTENT", "DEPLOYMENTS"];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function launch(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program], {
    env: {
      ...programEnvironment(),
      ...Object.fromEntries(services.map((name) => [`${name}_ADDRESS`, away])),
      ...Object.fromEntries(services.map((name) => [`${name}_HTTP_URL`, `http://${away}`])),
      ...serviceKeyFiles("gateway"),
      ...{ HOST: "127.0.0.1", HTTP_PORT: "0", ADMIN_PORT: "0", SHUTDOWN_DELAY_MS: "0", NATS_URL: `nats://${away}` },
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return { child, exit: once(child, "exit") };
}

describe("a gateway that is told to stop", () => {
  it("withdraws, finishes requests, and closes what they needed after them", async () => {
    const { child, exit } = launch();
    const done: { step: string; number: string; time: string }[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const { msg, step, number, time } = JSON.parse(line);
      if (msg === "ready") child.kill("SIGTERM");
      if (msg === "shutdown step done") done.push({ step, number, time });
    }
    expect(await exit).toEqual([0, null]);
    // A busy machine once brought the first line last: each says its place and its time, which have to agree.
    const inOrder = done.toSorted((one, other) => Number.parseInt(one.number, 10) - Number.parseInt(other.number, 10));
    const times = inOrder.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    expect(inOrder.map(({ step }) => step)).toEqual([
      "readiness withdrawn",
      "drain delay",
      "streams ended",
      "requests finished",
      "admin port closed",
      "services no longer watched",
      "connections for passed-on calls closed",
      "connections to instances closed",
      "event loop no longer watched",
      "refusals recorded",
      "event stream closed",
      "connections to services closed",
      "service keys closed",
      "telemetry sent",
    ]);
  });
});

describe("a gateway whose port is taken", () => {
  it("says so and ends with 1", async () => {
    await using taken = createServer();
    const { child, exit } = launch({ HTTP_PORT: String(await listenOnLoopback(taken)) });
    const said: string[] = [];
    child.stderr.on("data", (chunk) => said.push(String(chunk)));
    expect(await exit).toEqual([1, null]);
    expect(said.join("")).toContain("EADDRINUSE");
  });
});
