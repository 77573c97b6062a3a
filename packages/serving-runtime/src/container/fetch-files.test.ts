import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@aiplatform/testkit/certificate-authority";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FetchOptions, FileUnavailableError, fetchFiles } from "./fetch-files.ts";

const bytes = Buffer.from("weights".repeat(10_000));
const sha256 = createHash("sha256").update(bytes).digest("hex");
const file = { path: "models/digits.onnx", sha256, sizeBytes: bytes.byteLength };

let directory: string;
let asked: IncomingMessage[];
/** How the server answers, request by request; the last goes on. */
let answers: ((response: ServerResponse) => void)[];
const server = createServer((request, response) => {
  asked.push(request);
  const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
  answer?.(response);
});
const whole = (response: ServerResponse) => void response.end(bytes);
const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end();
const brokenOff = (response: ServerResponse) => {
  response.writeHead(200, { "content-length": bytes.byteLength });
  response.write(bytes.subarray(0, 1_000), () => response.destroy());
};

beforeEach(async () => {
  asked = [];
  directory = await mkdtemp(join(tmpdir(), "fetch-files-"));
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(async () => {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
  await rm(directory, { recursive: true });
});

function fetchThem(differs: Partial<FetchOptions> = {}): Promise<void> {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const list = { url: `http://127.0.0.1:${port}/files/`, files: [file] };
  return fetchFiles({ list, directory, token: "the token", attempts: 3, pauseMs: 1, ...differs });
}

const target = () => join(directory, file.path);

describe("a file that is available", () => {
  it("is there when fetching ends, for reading only", async () => {
    answers = [whole];
    await fetchThem();
    expect((await readFile(target())).equals(bytes)).toBe(true);
    expect((await stat(target())).mode & 0o777).toBe(0o444);
    expect(await readdir(join(directory, "models"))).toEqual(["digits.onnx"]);
  });

  it("is asked for by its digest, with the token", async () => {
    answers = [whole];
    await fetchThem();
    expect(asked.map(({ url }) => url)).toEqual([`/files/${sha256}`]);
    expect(asked[0]?.headers.authorization).toBe("Bearer the token");
  });

  it("is not asked for again when it is there", async () => {
    answers = [whole];
    await fetchThem();
    await fetchThem();
    expect(asked).toHaveLength(1);
  });

  it("takes the place of one that is not it", async () => {
    answers = [whole];
    await mkdir(join(directory, "models"));
    await writeFile(target(), "what an older program left", { mode: 0o444 });
    await fetchThem();
    expect((await readFile(target())).equals(bytes)).toBe(true);
  });

  it.each([
    ["a refusal for now", status(503)],
    ["too many at once", status(429)],
    ["a connection that breaks", brokenOff],
  ])("is there in spite of %s", async (_what, first) => {
    answers = [first, whole];
    await fetchThem();
    expect((await readFile(target())).equals(bytes)).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it("is there in spite of an answer that stands still", async () => {
    answers = [(response) => void response.writeHead(200).write("w"), whole];
    await fetchThem({ idleMs: 100 });
    expect((await readFile(target())).equals(bytes)).toBe(true);
  });
});

describe("a file that is not available", () => {
  it.each([
    ["is unknown", status(404), 1, "was answered with status 404"],
    [
      "is another one of the size",
      (response: ServerResponse) => void response.end(Buffer.alloc(bytes.byteLength)),
      1,
      "is not what its digest says",
    ],
    [
      "is larger",
      (response: ServerResponse) => void response.end(Buffer.alloc(bytes.byteLength + 1)),
      1,
      "is larger than it should be",
    ],
    ["is shorter each time", (response: ServerResponse) => void response.end("w"), 3, "ended after 1 of 70000 bytes"],
    ["is refused each time", status(500), 3, "was answered with status 500"],
    ["breaks off each time", brokenOff, 3, "could not be fetched"],
  ])("because it %s leaves nothing, and the reason", async (_what, answer, attempts, reason) => {
    answers = [answer];
    const failure = await fetchThem().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FileUnavailableError);
    expect(String(failure)).toContain(`models/digits.onnx ${reason}`);
    expect(asked).toHaveLength(attempts);
    expect(await readdir(join(directory, "models"))).toEqual([]);
  });

  it("because of a redirect is not looked for elsewhere", async () => {
    answers = [(response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()];
    await expect(fetchThem({ attempts: 1 })).rejects.toThrow(FileUnavailableError);
  });
});

describe("a file behind TLS", () => {
  type Place = { hosts?: string[]; ca?: string; notAfter?: Date };

  /** Fetches it from a server with a certificate of an authority of the test's own. */
  async function fetchFrom(place: Place = {}) {
    const authority = await CertificateAuthority.create("files");
    const { hosts, notAfter, ca = authority.pem } = place;
    const issued = await authority.issue({ ...(hosts && { hosts }), ...(notAfter && { notAfter }) });
    await using cleanUp = new AsyncDisposableStack();
    const secure = createTlsServer(issued, (request, response) => server.emit("request", request, response));
    cleanUp.defer(() => void secure.close());
    await once(secure.listen(0, "127.0.0.1"), "listening");
    cleanUp.defer(() => secure.closeAllConnections());
    const address = secure.address();
    const port = typeof address === "object" ? address?.port : 0;
    await fetchThem({ list: { url: `https://127.0.0.1:${port}/files/`, files: [file] }, ca, attempts: 2 });
  }

  it("is fetched when its server is certified by the authority that is believed", async () => {
    answers = [whole];
    await fetchFrom();
    expect((await readFile(target())).equals(bytes)).toBe(true);
    expect(asked[0]?.headers.authorization).toBe("Bearer the token");
  });

  it("is broken off over TLS as without it, and is there at the second attempt", async () => {
    answers = [brokenOff, whole];
    await fetchFrom();
    expect((await readFile(target())).equals(bytes)).toBe(true);
  });

  it.each<[what: string, place: Place, reason: string]>([
    ["is certified for another name", { hosts: ["elsewhere"] }, "its certificate names another server"],
    ["has expired", { notAfter: new Date(Date.now() - 1_000) }, "its certificate has expired"],
  ])("is not asked for where the server %s", async (_what, place, reason) => {
    answers = [whole];
    const said = `models/digits.onnx could not be fetched: the server is refused, because ${reason}`;
    await expect(fetchFrom(place)).rejects.toThrow(said);
    expect(asked).toEqual([]);
  });

  it("is not asked for where another authority certifies the server", async () => {
    answers = [whole];
    const others = await CertificateAuthority.create("others");
    const said = "the server is refused, because its certificate is of no authority that is believed here";
    await expect(fetchFrom({ ca: others.pem })).rejects.toThrow(said);
    expect(asked).toEqual([]);
  });

  it("is not asked for where the server has no TLS", async () => {
    answers = [whole];
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const list = { url: `https://127.0.0.1:${port}/files/`, files: [file] };
    await expect(fetchThem({ list })).rejects.toThrow("the server is refused, because it does not speak TLS");
    expect(asked).toEqual([]);
  });
});
