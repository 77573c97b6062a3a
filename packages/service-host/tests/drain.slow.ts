import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { createMeshTransport } from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";
import { localSettings } from "./rig/mesh-rig.ts";
import { type EchoProcess, echoHeaders, killEchoes, launchEcho, startEcho } from "./rig/start-echo.ts";
import { until } from "./rig/until.ts";

afterEach(killEchoes);

async function failureOf(work: PromiseLike<unknown>): Promise<ConnectError> {
  return ConnectError.from(
    await Promise.resolve(work).then(
      () => new Error("it succeeded"),
      (error: unknown) => error,
    ),
  );
}

describe("SIGTERM under load", () => {
  it("loses no call, retried or not, while another replica serves", async () => {
    const [leaving, staying] = await Promise.all([startEcho(), startEcho()]);
    const mesh = createMeshTransport({ addresses: [leaving.addresses.grpc, staying.addresses.grpc] });
    const client = createClient(EchoService, mesh);
    const credential = await echoHeaders();
    const answered: string[] = [];
    const failed: string[] = [];
    let calling = true;
    const caller = async (name: number) => {
      for (let i = 0; calling; i++) {
        // Only echo is declared idempotent and may be retried.
        const call = i % 2 === 0 ? client.echo : client.whisper;
        const value = `${name}/${i}`;
        await call({ value }, { headers: credential }).then(
          (answer) => answered.push(answer.value),
          (error: unknown) => failed.push(`${value}: ${String(error)}`),
        );
      }
    };
    const callers = Array.from({ length: 8 }, (_, name) => caller(name));
    const reached = (count: number) => until(() => answered.length >= count);
    await reached(200);
    leaving.child.kill("SIGTERM");
    const { code } = await leaving.exit;
    await reached(answered.length + 200);
    calling = false;
    await Promise.all(callers);
    mesh.close();
    expect(failed).toEqual([]);
    expect(code).toBe(0);
    expect(new Set(answered).size).toBe(answered.length);
    // Under load the lines have been seen to arrive out of order; their numbers and times say what happened.
    const steps = leaving.lines
      .filter((line) => line["step"])
      .sort((a, b) => (String(a["number"]) < String(b["number"]) ? -1 : 1));
    expect(steps.map((line) => line["time"])).toEqual(steps.map((line) => line["time"]).sort());
    expect(steps.map((line) => line["step"])).toEqual([
      "readiness withdrawn",
      "drain delay",
      "background work stopped",
      "streams drained",
      "calls finished",
      "dependencies no longer watched",
      "connections to peers closed",
      "admin port closed",
      "telemetry sent",
    ]);
  });

  it("answers the calls under way over HTTP/1.1", async () => {
    const echo = await startEcho();
    const call = () =>
      echoHeaders().then((credential) =>
        fetch(`${echo.addresses.http}/echo.v1.EchoService/Echo`, {
          method: "POST",
          headers: [...credential, ["content-type", "application/json"]],
          body: JSON.stringify("slow"),
        }),
      );
    await call();
    const calls = Array.from({ length: 16 }, call);
    await until(() => echo.lines.filter((line) => line["msg"] === "begun").length === 17);
    echo.child.kill("SIGTERM");
    const answers = await Promise.all(
      calls.map(async (answer) => [(await answer).status, await (await answer).json()]),
    );
    expect(answers).toEqual(Array.from({ length: 16 }, () => [200, "slow"]));
    expect((await echo.exit).code).toBe(0);
  });
});

describe("SIGTERM with a stream open", () => {
  it("lets the stream say its last words", async () => {
    const echo = await startEcho();
    const mesh = createMeshTransport({ addresses: echo.addresses.grpc });
    const values: number[] = [];
    for await (const { value } of createClient(EchoService, mesh).count(
      { value: 1 },
      { headers: await echoHeaders() },
    )) {
      if (values.push(value) === 1) echo.child.kill("SIGTERM");
    }
    mesh.close();
    expect(values).toEqual([0, -1]);
    expect((await echo.exit).code).toBe(0);
  });
});

describe("SIGTERM with a call that does not end", () => {
  it("ends it with UNAVAILABLE and its reason after the grace, and the process", async () => {
    const echo = await startEcho({ SHUTDOWN_GRACE_MS: "200" });
    const mesh = createMeshTransport({ addresses: echo.addresses.grpc });
    const client = createClient(EchoService, mesh);
    const credential = await echoHeaders();
    await client.echo({ value: "warm" }, { headers: credential });
    const held = failureOf(client.hold({ value: "x" }, { headers: credential }));
    await client.echo({ value: "after" }, { headers: credential });
    echo.child.kill("SIGTERM");
    const error = await held;
    expect([error.code, error.findDetails(ErrorInfoSchema)]).toMatchObject([
      Code.Unavailable,
      [{ reason: "SHUTTING_DOWN" }],
    ]);
    expect((await echo.exit).code).toBe(0);
    mesh.close();
  });

  it("exits at once on a second signal", async () => {
    const echo = await startEcho({ SHUTDOWN_GRACE_MS: "60000", SHUTDOWN_DELAY_MS: "60000" });
    echo.child.kill("SIGTERM");
    await stepLogged(echo, "readiness withdrawn");
    echo.child.kill("SIGTERM");
    expect((await echo.exit).code).toBe(1);
  });
});

describe("while a service waits for routing to notice", () => {
  it("is not ready, and serves on", async () => {
    const echo = await startEcho({ SHUTDOWN_DELAY_MS: "60000" });
    expect((await fetch(`${echo.addresses.admin}/readyz`)).status).toBe(200);
    echo.child.kill("SIGTERM");
    await stepLogged(echo, "readiness withdrawn");
    const readiness = await fetch(`${echo.addresses.admin}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([
      503,
      { ready: false, phase: "draining", checks: {}, dependencies: {} },
    ]);
    expect((await fetch(`${echo.addresses.admin}/livez`)).status).toBe(200);
    const mesh = createMeshTransport({ addresses: echo.addresses.grpc });
    const answer = await createClient(EchoService, mesh).echo({ value: "still" }, { headers: await echoHeaders() });
    expect(answer.value).toBe("still");
    mesh.close();
  });
});

describe("a service that cannot start", () => {
  it("says every wrong setting in one sentence and exits with 1", async () => {
    const { child, exit } = launchEcho({ ...localSettings, GRPC_PORT: "x", LOG_LEVEL: "loud" });
    const said: string[] = [];
    child.stderr?.on("data", (chunk) => said.push(String(chunk)));
    expect((await exit).code).toBe(1);
    expect(said.join("")).toBe(
      "Cannot start, 2 settings are wrong: GRPC_PORT must be a whole number; LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent\n",
    );
  });

  it("says that its port is taken", async () => {
    const echo = await startEcho();
    const { child, exit } = launchEcho({
      ...localSettings,
      GRPC_PORT: echo.addresses.grpc.split(":")[1] ?? "",
      TEST_JWKS: "",
    });
    const said: string[] = [];
    child.stderr?.on("data", (chunk) => said.push(String(chunk)));
    expect((await exit).code).toBe(1);
    expect(said.join("")).toContain("EADDRINUSE");
  });
});

describe("an unhandled error", () => {
  it("is logged and ends the process with 1", async () => {
    const echo = await startEcho();
    const mesh = createMeshTransport({ addresses: echo.addresses.grpc });
    createClient(EchoService, mesh)
      .echo({ value: "crash" }, { headers: await echoHeaders() })
      .catch(() => {});
    expect((await echo.exit).code).toBe(1);
    mesh.close();
    expect(JSON.stringify(echo.lines.at(-1))).toContain("this is never caught");
  });
});

async function stepLogged(echo: EchoProcess, step: string): Promise<void> {
  await until(() => echo.lines.some((line) => line["step"] === step));
}
