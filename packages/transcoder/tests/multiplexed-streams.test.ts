import { create, type DescService, type JsonObject, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CallContext,
  callerFromImplementations,
  createFetchHandler,
  type FetchHandler,
  HttpError,
  type Operation,
} from "../src/index.ts";
import { type CompiledProto, compileProto } from "./compiled-proto.ts";

const proto = `
syntax = "proto3";
package boats.v1;
import "buf/validate/validate.proto";
import "transcoder/v1/json.proto";
import "transcoder/v1/route.proto";
import "transcoder/v1/streams.proto";
service BoatService {
  rpc WatchBoat(WatchBoatRequest) returns (stream WatchBoatResponse) {
    option (transcoder.v1.route) = {
      get: "/boats/{boat}/stream" event_id: "number"
      headers: {name: "Last-Event-ID" field: "last_event_id"}
    };
  }
  rpc WatchTide(WatchTideRequest) returns (stream WatchTideResponse) {
    option (transcoder.v1.route) = {get: "/tide/stream"};
  }
  rpc GetChart(WatchTideRequest) returns (stream GetChartResponse) {
    option (transcoder.v1.route) = {get: "/chart" response_body: "content"};
  }
  rpc GetTide(WatchTideRequest) returns (WatchTideResponse) { option (transcoder.v1.route) = {get: "/tide"}; }
  rpc FollowStreams(transcoder.v1.FollowStreamsRequest) returns (stream transcoder.v1.FollowStreamsResponse) {
    option (transcoder.v1.route) = {post: "/streams" body: "*" multiplexes: true};
  }
}
message WatchBoatRequest {
  string boat = 1 [(buf.validate.field).string.max_len = 8];
  uint32 upto = 2;
  optional string last_event_id = 3;
}
message WatchBoatResponse { uint32 number = 1; string boat = 2; }
message WatchTideRequest {}
message WatchTideResponse { uint32 metres = 1; }
message GetChartResponse { transcoder.v1.Content content = 1; }
`;

interface WatchBoat extends Message {
  readonly boat: string;
  readonly upto: number;
  readonly lastEventId?: string;
}

/** Events of a stream as the operation answers them. */
interface Followed {
  stream: number;
  event_id: string | null;
  data: JsonObject | null;
  problem: { status: number; body: { detail: unknown; code?: string }; retry_after_seconds: number | null } | null;
  ended: boolean;
}

const held = { open: 0, released: 0 };
let service: DescService;
let handler: FetchHandler;

beforeAll(async () => {
  const compiled: CompiledProto = await compileProto({ "boats.proto": proto });
  service = compiled.service("boats.v1.BoatService");
  const call = callerFromImplementations(({ service: register }) => register(service, implementation(compiled)));
  handler = createFetchHandler({ services: [service], call, prepare: ({ operation }) => prepare(operation) });
});
afterAll(() => expect(held.open).toBe(0));

function implementation(compiled: CompiledProto): ServiceImpl<DescService> {
  const message = (name: string, fields: Record<string, unknown>) =>
    create(compiled.message(`boats.v1.${name}`), fields);
  const watches = {
    async *watchBoat({ boat, upto, lastEventId = "0" }: WatchBoat, { signal }: HandlerContext) {
      held.open += 1;
      try {
        if (boat === "lost") throw new ConnectError("there is none", Code.NotFound);
        for (let number = Number(lastEventId) + 1; number <= upto; number += 1)
          yield message("WatchBoatResponse", { boat, number });
        if (boat === "sinking") throw new ConnectError("it sank", Code.Unavailable);
        if (boat === "moored") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      } finally {
        held.open -= 1;
      }
    },
    async *watchTide() {
      yield message("WatchTideResponse", { metres: 3 });
    },
  };
  // The types of RPCs that are compiled here are not known to TypeScript.
  return watches as unknown as ServiceImpl<DescService>;
}

async function prepare({ path }: Operation): Promise<CallContext> {
  if (path === "/tide/stream") throw new HttpError(403, "The tide is secret", "permission_denied");
  const done = () => {
    held.released += 1;
  };
  return { headers: new Headers(), done };
}

async function follow(
  streams: unknown,
  { accept = "application/x-ndjson", signal }: { accept?: string; signal?: AbortSignal } = {},
) {
  const request = new Request("http://boats.test/streams", {
    method: "POST",
    headers: { accept, "content-type": "application/json" },
    body: JSON.stringify({ streams }),
    ...(signal ? { signal } : {}),
  });
  const response = await handler(request);
  if (!response) throw new Error("there is no such route");
  return response;
}

async function eventsOf(streams: unknown): Promise<Followed[]> {
  const lines = (await (await follow(streams)).text()).trim().split("\n");
  return lines.map((line): Followed => JSON.parse(line));
}

const of = (events: readonly Followed[], stream: number) => events.filter((event) => event.stream === stream);
const data = (stream: number, boat: string, number: number) => ({
  ...{ stream, event_id: String(number), data: { number, boat } },
  ...{ problem: null, ended: false },
});
const ended = (stream: number) => ({ stream, event_id: null, data: null, problem: null, ended: true });

describe("several streams over one connection", () => {
  it("are answered event by event, each with its place and its own id, and each says that it has ended", async () => {
    const events = await eventsOf([{ path: "/boats/ann/stream?upto=2" }, { path: "/boats/bob/stream?upto=1" }]);
    expect(of(events, 0)).toEqual([data(0, "ann", 1), data(0, "ann", 2), ended(0)]);
    expect(of(events, 1)).toEqual([data(1, "bob", 1), ended(1)]);
  });

  it("are server-sent events where these are asked for", async () => {
    const text = await (await follow([{ path: "/boats/ann/stream?upto=1" }], { accept: "text/event-stream" })).text();
    expect(text.split("\n\n")[0]).toBe(`data: ${JSON.stringify(data(0, "ann", 1))}`);
  });

  it("go on after the last event that was received, each from its own", async () => {
    const events = await eventsOf([
      { path: "/boats/ann/stream?upto=5", last_event_id: "4" },
      { path: "/boats/bob/stream?upto=2", last_event_id: "1" },
    ]);
    expect(events.map(({ event_id: id }) => id).filter(Boolean)).toEqual(["5", "2"]);
  });

  it("are cancelled, and what they hold released, when the client goes", async () => {
    const { released } = held;
    const client = new AbortController();
    const paths = ["/boats/moored/stream?upto=1", "/boats/moored/stream?upto=0"];
    const response = await follow(
      paths.map((path) => ({ path })),
      { signal: client.signal },
    );
    await response.body?.getReader().read();
    expect(held.open).toBe(2);
    client.abort();
    await expect.poll(() => [held.open, held.released]).toEqual([0, released + 3]);
  });
});

describe("a stream among others that", () => {
  const bob = { path: "/boats/bob/stream?upto=1" };
  it.each([
    ["is not there", "/boats/lost/stream", 404, { detail: "Not found" }],
    ["the caller may not see", "/tide/stream", 403, { detail: "The tide is secret", code: "permission_denied" }],
    ["no operation has", "/ships/ann/stream", 404, { detail: "No operation streams events at this path" }],
    ["is no path", "boats/ann/stream", 404, { detail: "No operation streams events at this path" }],
    ["is no stream", "/tide", 404, { detail: "No operation streams events at this path" }],
    ["is bytes", "/chart", 404, { detail: "No operation streams events at this path" }],
    ["is the operation itself", "/streams", 404, { detail: "No operation streams events at this path" }],
  ])("%s is refused as if it were alone, and the others go on", async (_, path, status, body) => {
    const events = await eventsOf([{ path }, bob]);
    expect(of(events, 0)).toEqual([
      { stream: 0, event_id: null, data: null, problem: { status, body, retry_after_seconds: null }, ended: false },
    ]);
    expect(of(events, 1)).toEqual([data(1, "bob", 1), ended(1)]);
  });

  it("is asked for wrongly says where, as if it were alone", async () => {
    const [event] = await eventsOf([{ path: "/boats/toolongname/stream?upto=many" }]);
    expect(event?.problem?.status).toBe(422);
    expect(event?.problem?.body.detail).toEqual([
      expect.objectContaining({ loc: ["path", "boat"] }),
      expect.objectContaining({ loc: ["query", "upto"] }),
    ]);
  });

  it("fails in the middle says so after its events, and when to ask again", async () => {
    const events = await eventsOf([{ path: "/boats/sinking/stream?upto=1" }, bob]);
    expect(of(events, 0)).toEqual([
      data(0, "sinking", 1),
      expect.objectContaining({
        problem: {
          status: 503,
          body: { detail: "Temporarily unavailable", code: "unavailable" },
          retry_after_seconds: 1,
        },
      }),
    ]);
    expect(of(events, 1)).toEqual([data(1, "bob", 1), ended(1)]);
  });
});

describe("a request for streams", () => {
  it.each([
    ["none", [], ["body", "streams"]],
    ["more than 32", Array(33).fill({ path: "/tide/stream" }), ["body", "streams"]],
    ["one with an empty path", [{ path: "" }], ["body", "streams", 0, "path"]],
    ["one with a path of more than 2048 characters", [{ path: "/".repeat(2049) }], ["body", "streams", 0, "path"]],
    [
      "one with an id of more than 64 characters",
      [{ path: "/x", last_event_id: "1".repeat(65) }],
      ["body", "streams", 0, "last_event_id"],
    ],
  ])("with %s is refused", async (_, streams, loc) => {
    const response = await follow(streams);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({ detail: [expect.objectContaining({ loc })] });
  });
});
