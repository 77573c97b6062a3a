import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMeshTransport, type MeshTransport } from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";

/** A peer that answers gRPC as a test wants it. */
let peer: Http2Server;
let answer: (stream: ServerHttp2Stream) => void;
let mesh: MeshTransport;
beforeAll(async () => {
  peer = createServer();
  peer.on("stream", (stream: ServerHttp2Stream) => {
    stream.resume();
    answer(stream);
  });
  await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => peer.close(resolve)));
beforeEach(() => {
  mesh = createMeshTransport({ addresses: `127.0.0.1:${(peer.address() as AddressInfo).port}` });
  return () => mesh.close();
});

const head = { ":status": 200, "content-type": "application/grpc" };

async function failure(): Promise<ConnectError> {
  const call = createClient(EchoService, mesh).whisper({ value: "x" });
  return await call.then(() => Promise.reject(new Error("the call did not fail")), ConnectError.from);
}

describe("a peer that ends a call", () => {
  it("in a compression that cannot be read fails that call, and not the process", async () => {
    answer = (stream) => {
      stream.respond({ ...head, "grpc-encoding": "unheard-of" }, { waitForTrailers: true });
      stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": 0 }));
      stream.end(Buffer.from([1, 0, 0, 0, 1, 0]));
    };
    expect(await failure()).toMatchObject({ code: Code.Unknown, rawMessage: "" });
  });

  it("with an error after its headers is shown with headers and trailers", async () => {
    answer = (stream) => {
      stream.respond({ ...head, "x-said-first": "1" }, { waitForTrailers: true });
      stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": Code.Aborted, "x-said-last": "2" }));
      stream.end();
    };
    const { code, metadata } = await failure();
    expect([code, metadata.get("x-said-first"), metadata.get("x-said-last")]).toEqual([Code.Aborted, "1", "2"]);
  });

  it("well but without an answer has not implemented it", async () => {
    answer = (stream) => stream.respond({ ...head, "grpc-status": 0 }, { endStream: true });
    expect(await failure()).toMatchObject({ code: Code.Unimplemented });
  });
});
