import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { keepServiceKeys } from "@aiplatform/service-keys";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createMeshTransport, type MeshTransport, type MeshTransportOptions } from "../src/index.ts";
import { rendezvousWeight } from "../src/mesh/mesh-channels.ts";
import { EchoService } from "./rig/echo-service.ts";
import { answeredBy, type EchoProcess, echoHeaders, killEchoes, startEcho } from "./rig/start-echo.ts";

const transports: MeshTransport[] = [];
afterEach(() => {
  for (const transport of transports.splice(0)) transport.close();
  killEchoes();
});

function clientOf(options: MeshTransportOptions) {
  const transport = createMeshTransport(options);
  transports.push(transport);
  return createClient(EchoService, transport);
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "OK",
    (error: unknown) => Code[ConnectError.from(error).code],
  );

/** The same replica once more, on the port that it had. */
async function restart({ child, addresses, exit }: EchoProcess): Promise<EchoProcess> {
  child.kill("SIGTERM");
  await exit;
  return startEcho({ GRPC_PORT: addresses.grpc.split(":")[1] ?? "" });
}

describe("a quick rolling restart of two replicas", () => {
  it("fails no call, repeatable or not", async () => {
    const replicas = await Promise.all([startEcho(), startEcho()]);
    const client = clientOf({ addresses: replicas.map(({ addresses }) => addresses.grpc) });
    const headers = await echoHeaders();
    const outcomes = new Map<string, number>();
    let calling = true;
    const caller = async () => {
      for (let i = 0; calling; i++) {
        const outcome = await codeOf((i % 2 === 0 ? client.echo : client.whisper)({ value: "x" }, { headers }));
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        // Leaves the processor to the replicas that start.
        await delay(5);
      }
    };
    const callers = Array.from({ length: 8 }, caller);
    // The second is stopped the moment the first is ready again, before any caller has connected to it.
    for (const replica of replicas) await restart(replica);
    calling = false;
    await Promise.all(callers);
    expect(outcomes.get("OK")).toBeGreaterThan(100);
    expect([...outcomes.keys()]).toEqual(["OK"]);
  }, 180_000);
});

describe("replicas behind one name", () => {
  const hosts = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];

  it("get an even share of calls within seconds of appearing, and none once they are gone", async () => {
    const first = await startEcho();
    const port = first.addresses.grpc.split(":")[1] ?? "";
    const others = await Promise.all(hosts.slice(1).map((HOST) => startEcho({ HOST, GRPC_PORT: port })));
    const replicas = [first, ...others];
    let known = hosts.slice(0, 2);
    const client = clientOf({ addresses: `echo:${port}`, lookup: async () => known });
    const headers = await echoHeaders();
    const share = async () => {
      const before = await Promise.all(replicas.map(answeredBy));
      await Promise.all(Array.from({ length: 60 }, () => client.whisper({ value: "x" }, { headers })));
      const after = await Promise.all(replicas.map(answeredBy));
      return after.map((count, i) => count - (before[i] ?? 0));
    };
    const sharesUntil = async (fits: (shares: number[]) => boolean) => {
      let shares = await share();
      for (const until = performance.now() + 20_000; !fits(shares) && performance.now() < until; )
        shares = await share();
      return shares;
    };
    expect(await sharesUntil((shares) => shares[0] === 30)).toEqual([30, 30, 0]);
    known = hosts;
    expect(await sharesUntil((shares) => shares[2] === 20)).toEqual([20, 20, 20]);
    known = hosts.slice(1);
    expect(await sharesUntil((shares) => shares[0] === 0)).toEqual([0, 30, 30]);
  });

  it("are each home to the keys that lead there", async () => {
    const first = await startEcho();
    const port = first.addresses.grpc.split(":")[1] ?? "";
    const second = await startEcho({ HOST: "127.0.0.2", GRPC_PORT: port });
    const client = clientOf({ addresses: `echo:${port}`, lookup: async () => hosts.slice(0, 2), pick: () => "run-1" });
    const headers = await echoHeaders();
    const weights = hosts.slice(0, 2).map((host) => rendezvousWeight(`${host}:${port}`, "run-1"));
    const home = (weights[0] ?? 0) > (weights[1] ?? 0) ? first : second;
    const atHome = async () => {
      const before = await answeredBy(home);
      await Promise.all(Array.from({ length: 40 }, () => client.whisper({ value: "x" }, { headers })));
      return (await answeredBy(home)) - before;
    };
    // The first calls may find only the other one connected.
    let calls = await atHome();
    for (const until = performance.now() + 20_000; calls < 40 && performance.now() < until; ) calls = await atHome();
    expect(calls).toBe(40);
  });

  it("are used on from memory while the name cannot be looked up", async () => {
    const replica = await startEcho();
    let asked = 0;
    const client = clientOf({
      addresses: `echo:${replica.addresses.grpc.split(":")[1]}`,
      lookup: async () => {
        asked += 1;
        if (asked > 1) throw new Error("the name server is away");
        return ["127.0.0.1"];
      },
    });
    const headers = await echoHeaders();
    while (asked < 3) expect(await codeOf(client.whisper({ value: "x" }, { headers }))).toBe("OK");
  });
});

describe("one address for many replicas", () => {
  it("leads unary calls to a replica within seconds of its appearing", async () => {
    const directory = mkdtempSync(join(tmpdir(), "mesh-reconnect-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    // Replicas share the key of their service, by which each proves its HTTP port to callers that another has sent there.
    const keys = { ...keepServiceKeys(directory)("training") };
    const first = await startEcho({ ...keys, HOST: "127.0.0.3" });
    const [grpc = "", http = ""] = [first.addresses.grpc.split(":")[1], new URL(first.addresses.http).port];
    const replicas = ["127.0.0.3"];
    let turn = 0;
    const ways = [grpc, http].map((port) =>
      createServer((socket) => {
        const onward = connect({ host: replicas[turn++ % replicas.length] ?? "", port: Number(port) });
        socket.on("error", () => onward.destroy());
        onward.on("error", () => socket.destroy());
        socket.pipe(onward).pipe(socket);
      }).listen(Number(port), "127.0.0.2"),
    );
    await Promise.all(ways.map((way) => once(way, "listening")));
    const client = clientOf({ addresses: `127.0.0.2:${grpc}` });
    const headers = await echoHeaders();
    const call = () => codeOf(client.whisper({ value: "x" }, { headers }));
    const allOk = Array.from({ length: 16 }, () => "OK");
    // As many connections as there are callers: from then on only their age leads to others.
    for (let i = 0; i < 20; i++) expect(await Promise.all(allOk.map(call))).toEqual(allOk);
    const second = await startEcho({ ...keys, HOST: "127.0.0.4", GRPC_PORT: grpc, HTTP_PORT: http });
    replicas.push("127.0.0.4");
    const until = performance.now() + 20_000;
    while ((await answeredBy(second)) < 100 && performance.now() < until) {
      expect(await Promise.all(allOk.map(call))).toEqual(allOk);
    }
    expect(await answeredBy(second)).toBeGreaterThanOrEqual(100);
    for (const way of ways) way.close();
  }, 60_000);
});

describe("a peer that is away", () => {
  it("is waited for while that is short, refused within a second while it is long, and found again at once", async () => {
    const peer = await startEcho();
    const client = clientOf({ addresses: peer.addresses.grpc });
    const headers = await echoHeaders();
    const call = () => codeOf(client.whisper({ value: "x" }, { headers }));
    expect(await call()).toBe("OK");
    peer.child.kill("SIGKILL");
    await peer.exit;
    const since = performance.now();
    const tookMs = async () => {
      const startedAt = performance.now();
      return { code: await call(), ms: performance.now() - startedAt };
    };
    // The loss of each connection is noticed by itself: calls that go with one fail at once, the next finds none.
    let early = await tookMs();
    for (let lost = 0; early.ms < 1_000 && lost < 8; lost++) early = await tookMs();
    expect(early.code).toBe("Unavailable");
    expect(early.ms).toBeGreaterThan(1_900);
    while (performance.now() < since + 6_000) await call();
    const late = await tookMs();
    expect(late.code).toBe("Unavailable");
    expect(late.ms).toBeLessThan(1_900);
    await startEcho({ GRPC_PORT: peer.addresses.grpc.split(":")[1] ?? "" });
    expect(await call()).toBe("OK");
  });

  it("is connected to again when an attempt to connect hangs", async () => {
    const peer = await startEcho();
    const [host = "", port = ""] = peer.addresses.grpc.split(":");
    let silent = true;
    const sockets: Socket[] = [];
    const way = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      // Neither refused nor answered, like a packet that is lost.
      if (silent) return;
      const onward = connect({ host, port: Number(port) });
      onward.on("error", () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    });
    await once(way.listen(0, "127.0.0.1"), "listening");
    const address = way.address();
    const client = clientOf({ addresses: `127.0.0.1:${typeof address === "object" ? address?.port : 0}` });
    const headers = await echoHeaders();
    while (sockets.length === 0) await delay(10);
    silent = false;
    // The attempt that hangs would never end by itself.
    const until = performance.now() + 20_000;
    let code = "";
    while (code !== "OK" && performance.now() < until) code = await codeOf(client.whisper({ value: "x" }, { headers }));
    expect(code).toBe("OK");
    for (const socket of sockets) socket.destroy();
    way.close();
  });
});

describe("a replica whose clock is two hours off", () => {
  it("costs no caller anything while another replica is right, and is UNAVAILABLE, not 401, alone", async () => {
    const [wrong, right] = await Promise.all([
      startEcho({ TEST_CLOCK_OFFSET_MS: "7200000" }),
      startEcho({ TEST_CLOCK_OFFSET_MS: "0" }),
    ]);
    const headers = await echoHeaders();
    const alone = clientOf({ addresses: wrong.addresses.grpc });
    expect(await codeOf(alone.whisper({ value: "x" }, { headers }))).toBe("Unavailable");
    const both = clientOf({ addresses: [wrong.addresses.grpc, right.addresses.grpc] });
    // Until both are connected: a call that finds only the wrong one has no other.
    while ((await codeOf(both.whisper({ value: "x" }, { headers }))) !== "OK");
    const codes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => codeOf((i % 2 ? both.echo : both.whisper)({ value: "x" }, { headers }))),
    );
    expect(new Set(codes)).toEqual(new Set(["OK"]));
  });
});

describe("a fallback", () => {
  it("is used while what it stands in for cannot be reached, and only then", async () => {
    const [first, second] = await Promise.all([startEcho(), startEcho()]);
    const client = clientOf({ addresses: `${first.addresses.grpc}|${second.addresses.grpc}` });
    const headers = await echoHeaders();
    const call = () => codeOf(client.whisper({ value: "x" }, { headers }));
    const until = performance.now() + 20_000;
    // It may be connected first; from then on it gets none.
    while ((await answeredBy(first)) === 0 && performance.now() < until) await call();
    const before = await answeredBy(second);
    for (let i = 0; i < 10; i++) expect(await call()).toBe("OK");
    expect(await answeredBy(second)).toBe(before);
    first.child.kill("SIGTERM");
    await first.exit;
    for (let i = 0; i < 10; i++) expect(await call()).toBe("OK");
    expect((await answeredBy(second)) - before).toBe(10);
  });
});
