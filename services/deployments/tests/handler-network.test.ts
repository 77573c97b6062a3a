import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { containmentHere, DriverRig, isReady, predict } from "./driver-rig.ts";
import { describeTiers, tiersHere } from "./tiers-here.ts";

/** Asks by fetch and by node:http, and opens a connection of its own. Says what came of each. */
const asking = `
  import http, { request } from "node:http";
  import { connect } from "node:net";
  const said = (sent) => new Promise((resolve) => sent
    .on("response", (answer) => { answer.resume(); resolve(answer.statusCode); })
    .on("connect", () => resolve("connected"))
    .on("error", ({ code }) => resolve(code)));
  export default async ({ port }) => {
    const url = "http://127.0.0.1:" + port + "/";
    const fetched = await fetch(url).then(({ status }) => status, (error) => String(error));
    return [fetched, await said(request(url).end()), await said(http.get(url)), await said(connect(port, "127.0.0.1"))];
  };`;

let asked = 0;
let port = 0;
const server = createServer((_, response) => {
  asked += 1;
  response.end("a service of this machine");
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describeTiers();

/** What a connection past the proxy comes to. */
const pastTheProxy = { namespaces: "ECONNREFUSED", landlock: "EACCES" };

describe.each(tiersHere)("a handler with the network in a sandbox of $kind", (sandbox) => {
  const runConfig = { concurrency: 4, timeoutSeconds: 10, memoryMb: 256, network: true };
  const outcomes = async (allowedNetworks: string[]) => {
    const containment = { ...(await containmentHere(sandbox)), network: true, allowedNetworks };
    await using rig = await DriverRig.start(containment);
    const set = await rig.handler(asking, { runConfig });
    const { url } = await rig.instance(set, isReady);
    const { body } = await predict(set, url, { port });
    return JSON.parse(body).output;
  };

  it("does not reach a service of this machine", async () => {
    const before = asked;
    expect(await outcomes([])).toEqual([403, 403, 403, pastTheProxy[sandbox.kind]]);
    expect(asked).toBe(before);
  }, 60_000);

  it("reaches a network that the operator allowed, through the proxy alone", async () => {
    const before = asked;
    expect(await outcomes(["127.0.0.0/8"])).toEqual([200, 200, 200, pastTheProxy[sandbox.kind]]);
    expect(asked).toBe(before + 3);
  }, 60_000);
});

describe.each(tiersHere)("a handler without the network in a sandbox of $kind", (sandbox) => {
  it("finds no proxy, and opens no connection", async () => {
    await using rig = await DriverRig.start(await containmentHere(sandbox));
    const set = await rig.handler(asking);
    const { url } = await rig.instance(set, isReady);
    const before = asked;
    expect((await predict(set, url, { port })).body).toMatch(/ERR_ACCESS_DENIED|Access to this API/);
    expect(asked).toBe(before);
  }, 60_000);
});
