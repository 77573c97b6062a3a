import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuardedFetch, type GuardedFetchOptions } from "../src/index.ts";
import { type ListeningServer, listenHttp, listenTcp } from "./listening-server.ts";

const loopback = ["127.0.0.0/8", "::1/128"];
const defaults: GuardedFetchOptions = { allowedNetworks: [], timeoutMs: 5_000, maxBytes: 1_000, allowHttp: true };

/** A resolver that gives these answers, one after another, and the last one from then on. */
function resolver(...answers: string[][]): LookupFunction & { asked: () => number } {
  let asked = 0;
  const lookup: LookupFunction = (_, options, callback) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    const found: LookupAddress[] = answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? "", found[0]?.family);
  };
  return Object.assign(lookup, { asked: () => asked });
}

/** How a request fails. */
async function failureOf(options: Partial<GuardedFetchOptions>, address: string, init?: RequestInit): Promise<Error> {
  await using guardedFetch = createGuardedFetch({ ...defaults, ...options });
  const outcome = await guardedFetch(address, init).catch((error: unknown) => error);
  if (!(outcome instanceof Error)) throw new Error(`${address} was answered`);
  return outcome;
}

describe("a server on a forbidden address", () => {
  let server: ListeningServer;
  beforeAll(async () => {
    // Every address of this machine, of both versions.
    server = await listenHttp((_, response) => void response.end("secrets"), "::");
  });
  afterAll(async () => await server[Symbol.asyncDispose]());

  const spellings = [
    "127.0.0.1",
    "127.1",
    "127.8.9.10",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7f.1",
    "0.0.0.0",
    "0",
    "127.0.0.1.",
    "①②⑦.0.0.1",
    "%31%32%37.0.0.1",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::7f00:1]",
    "[64:ff9b::7f00:1]",
  ];
  const schemes = ["http", "https"];

  it.each(spellings.flatMap((host) => schemes.map((scheme) => `${scheme}://${host}`)))(
    "is not asked for %s, and sees no connection",
    async (origin) => {
      const before = server.connections();
      expect((await failureOf({}, `${origin}:${server.port}/`)).name).toBe("AddressRefusedError");
      expect(server.connections()).toBe(before);
    },
  );

  it("is not asked for the name of the machine itself, with the system's resolver", async () => {
    for (const scheme of schemes) {
      const failure = await failureOf({}, `${scheme}://localhost:${server.port}/`);
      expect(failure).toMatchObject({ name: "AddressRefusedError", refused: "localhost" });
    }
    expect(server.connections()).toBe(0);
  });

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback of version 6", ["::1"]],
    ["loopback mapped", ["::ffff:127.0.0.1"]],
    ["this host", ["0.0.0.0"]],
    ["a public address and loopback", ["8.8.8.8", "127.0.0.1"]],
    ["loopback and a public address", ["127.0.0.1", "2606:4700::1111"]],
    ["no address", []],
  ])("is not asked for a name that leads to %s", async (_, addresses) => {
    for (const scheme of schemes) {
      const failure = await failureOf({ lookup: resolver(addresses) }, `${scheme}://evil.example:${server.port}/`);
      expect(failure).toMatchObject({ name: "AddressRefusedError", refused: "evil.example" });
    }
    expect(server.connections()).toBe(0);
  });

  it("is not told to a stranger by a redirect from where one may ask", async () => {
    const { port } = server;
    await using open = await listenHttp((_, response) => {
      response.writeHead(302, { location: `http://[::1]:${port}/` }).end();
    });
    await using guardedFetch = createGuardedFetch({ ...defaults, allowedNetworks: ["127.0.0.0/8"] });
    for (const redirect of ["follow", "manual", "error"] as const) {
      await expect(guardedFetch(`http://127.0.0.1:${open.port}/`, { redirect })).rejects.toThrow("fetch failed");
    }
    expect([open.connections() > 0, server.connections()]).toEqual([true, 0]);
  });
});

describe("private networks", () => {
  it.each([
    "169.254.169.254",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "224.0.0.1",
    "[fd00::1]",
    "[fe80::1]",
    "[ff02::1]",
    "[fd00:ec2::254]",
  ])("are refused before anything is sent: %s", async (host) => {
    for (const scheme of ["http", "https"]) {
      expect((await failureOf({}, `${scheme}://${host}/latest/meta-data`)).name).toBe("AddressRefusedError");
    }
  });
});

describe("a name that leads elsewhere when it is asked again", () => {
  it("is asked once, and the address that was checked is the one connected to", async () => {
    await using server = await listenHttp((_, response) => void response.end("the one that was checked"));
    const lookup = resolver(["127.0.0.1"], ["127.0.0.2"]);
    await using guardedFetch = createGuardedFetch({ ...defaults, allowedNetworks: ["127.0.0.1/32"], lookup });
    const answer = await guardedFetch(`http://rebinding.example:${server.port}/`);
    expect([await answer.text(), lookup.asked()]).toEqual(["the one that was checked", 1]);
  });

  it("is refused when the second answer is used for a second connection", async () => {
    await using server = await listenHttp((_, response) => {
      response.writeHead(200, { connection: "close" }).end("ok");
    });
    const lookup = resolver(["127.0.0.1"], ["127.0.0.2"]);
    await using guardedFetch = createGuardedFetch({ ...defaults, allowedNetworks: ["127.0.0.1/32"], lookup });
    const address = `http://rebinding.example:${server.port}/`;
    expect((await guardedFetch(address)).status).toBe(200);
    await expect(guardedFetch(address)).rejects.toMatchObject({ name: "AddressRefusedError" });
    expect(server.connections()).toBe(1);
  });
});

describe("what an URL may hold", () => {
  it.each([
    ["a password", "http://user:word@127.0.0.1/"],
    ["a user", "https://user@example.com/"],
    ["files", "file:///etc/passwd"],
    ["data", "data:text/plain,hello"],
    ["another protocol", "ftp://example.com/"],
    ["sockets", "ws://127.0.0.1/"],
    ["a script", "javascript:alert(1)"],
    ["another protocol over the same port", "gopher://127.0.0.1:80/"],
  ])("is not %s", async (_, address) => {
    const failure = await failureOf({ allowedNetworks: loopback }, address);
    expect(failure.name).toBe("AddressRefusedError");
    expect(failure.message).not.toContain("word@");
  });

  it("is not http, unless it is allowed, and then not to public addresses", async () => {
    const closed = await failureOf({ allowedNetworks: loopback, allowHttp: false }, "http://127.0.0.1:1/");
    expect(closed.message).toBe("127.0.0.1:1 must not be asked over http:");
    const named = await failureOf({ lookup: resolver(["8.8.8.8"]) }, "http://public.example/");
    expect([named.name, (await failureOf({}, "http://8.8.8.8/")).name]).toEqual([
      "AddressRefusedError",
      "AddressRefusedError",
    ]);
  });

  it("is a port as it is given", async () => {
    await using server = await listenHttp((request, response) => void response.end(request.headers.host));
    await using guardedFetch = createGuardedFetch({ ...defaults, allowedNetworks: loopback });
    const answer = await guardedFetch(`http://127.0.0.1:${server.port}/`);
    expect(await answer.text()).toBe(`127.0.0.1:${server.port}`);
  });
});

describe("https", () => {
  it("connects to the checked address and asks there for the name of the URL", async () => {
    const hello = Promise.withResolvers<Buffer>();
    await using server = await listenTcp((socket) => {
      socket.once("data", (chunk: Buffer) => {
        hello.resolve(chunk);
        socket.destroy();
      });
    });
    const options = { allowedNetworks: loopback, allowHttp: false, lookup: resolver(["127.0.0.1"]) };
    const failure = await failureOf(options, `https://issuer.example:${server.port}/`);
    expect(failure.message).toBe("fetch failed");
    expect((await hello.promise).includes("issuer.example")).toBe(true);
  });
});

describe("an answer", () => {
  it("comes with its status, headers and body, for every method", async () => {
    await using server = await listenHttp((request, response) => {
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.statusCode = request.method === "DELETE" ? 204 : 418;
      request.pipe(response);
    });
    await using guardedFetch = createGuardedFetch({ ...defaults, allowedNetworks: loopback });
    const address = `http://127.0.0.1:${server.port}/`;
    const posted = await guardedFetch(new URL(address), { method: "POST", body: new URLSearchParams({ code: "x" }) });
    expect([posted.status, posted.headers.getSetCookie(), await posted.text()]).toEqual([
      418,
      ["a=1", "b=2"],
      "code=x",
    ]);
    expect((await guardedFetch(address, { method: "DELETE" })).status).toBe(204);
  });

  it("may be as long as allowed, and not a byte longer", async () => {
    await using server = await listenHttp((request, response) => {
      response.end("x".repeat(Number(request.url?.slice(1))));
    });
    await using guardedFetch = createGuardedFetch({ ...defaults, allowedNetworks: loopback });
    const ask = (length: number) => guardedFetch(`http://127.0.0.1:${server.port}/${length}`);
    expect((await (await ask(1_000)).text()).length).toBe(1_000);
    await expect(ask(1_001)).rejects.toMatchObject({ name: "ResponseTooLargeError", maxBytes: 1_000 });
  });

  it("is cut off when it never ends, or is small only until it is unpacked", async () => {
    await using endless = await listenHttp((_, response) => {
      const more = () => {
        while (response.write("x".repeat(16_384)));
      };
      response.on("drain", more);
      more();
    });
    await using bomb = await listenHttp((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(10_000_000)));
    });
    for (const { port } of [endless, bomb]) {
      const failure = await failureOf({ allowedNetworks: loopback }, `http://127.0.0.1:${port}/`);
      expect(failure.name).toBe("ResponseTooLargeError");
    }
  });
});

describe("time", () => {
  it.each([
    ["no answer", () => undefined],
    [
      "an answer without its end",
      (socket: { write(text: string): void }) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"),
    ],
  ])("runs out for %s", async (_, answer) => {
    await using server = await listenTcp(answer);
    const options = { allowedNetworks: loopback, timeoutMs: 100 };
    const failure = await failureOf(options, `http://127.0.0.1:${server.port}/`);
    expect(failure).toMatchObject({ name: "OutboundTimeoutError", timeoutMs: 100 });
  });

  it("runs out for a name that is never resolved", async () => {
    const failure = await failureOf({ timeoutMs: 100, lookup: () => undefined }, "https://slow.example/");
    expect(failure.name).toBe("OutboundTimeoutError");
  });

  it("is the caller's to end", async () => {
    await using server = await listenTcp(() => undefined);
    const options = { allowedNetworks: loopback };
    const init = { signal: AbortSignal.abort(new Error("no longer wanted")) };
    const failure = await failureOf(options, `http://127.0.0.1:${server.port}/`, init);
    expect(failure.message).toBe("no longer wanted");
  });
});

describe("what does not work", () => {
  it("is fetch's own failure: no server listens, the name does not exist", async () => {
    const server = await listenTcp(() => undefined);
    await server[Symbol.asyncDispose]();
    const { port } = server;
    expect((await failureOf({ allowedNetworks: loopback }, `http://127.0.0.1:${port}/`)).message).toBe("fetch failed");
    const notFound: LookupFunction = (name, _, callback) => callback(new Error(`${name} does not exist`), "");
    expect((await failureOf({ lookup: notFound }, "https://nowhere.example/")).message).toBe("fetch failed");
  });

  it("is known at once for networks that make no sense", () => {
    expect(() => createGuardedFetch({ ...defaults, allowedNetworks: ["everything"] })).toThrow(
      "everything is not a network",
    );
  });
});
