import { describe, expect, it } from "vitest";
import { FollowedStream, type StreamEvent } from "./followed-stream.ts";

const blank: StreamEvent = { stream: 0, event_id: null, data: null, problem: null, ended: false };
const event = (id: number | null): StreamEvent => ({
  ...blank,
  event_id: id === null ? null : String(id),
  data: { id },
});
const problem = (status: number): StreamEvent => ({
  ...blank,
  problem: { status, body: { detail: `status ${status}`, code: "code" }, retry_after_seconds: null },
});
const ended: StreamEvent = { ...blank, ended: true };
const path = "/platform/deployments/1/stream";
const many = Array.from({ length: 101 }, (_, index) => event(index + 1));

function followed(events: readonly StreamEvent[]): FollowedStream {
  const stream = new FollowedStream(path);
  for (const each of events) stream.take(each);
  return stream;
}

describe("a followed stream", () => {
  it.each<[string, StreamEvent[], string, string | undefined]>([
    ["nothing has come", [], "wanted", undefined],
    ["events have come", [event(1), event(2)], "wanted", "2"],
    ["events without ids have come", [event(null)], "wanted", undefined],
    ["an event without an id has come after others", [event(4), event(null)], "wanted", "4"],
    ["the platform could not answer", [event(3), problem(503)], "waiting", "3"],
    ["the platform has too many", [problem(429)], "waiting", undefined],
    ["more comes while it waits", [event(3), problem(503), event(4)], "waiting", "3"],
    ["it is refused", [event(3), problem(403)], "over", "3"],
    ["it has ended", [event(3), ended], "over", "3"],
    ["as many events wait as may", many.slice(1), "wanted", "101"],
    ["more events wait than may", [...many, event(102)], "behind", "100"],
  ])("when %s is asked for from its last event on, or no more", (_, events, state, last) => {
    const stream = followed(events);
    expect(stream.state).toBe(state);
    expect(stream.address).toEqual({ path, ...(last && { last_event_id: last }) });
  });

  it("gives its reader what came before it ended", async () => {
    const read: string[] = [];
    for await (const { id } of followed([event(1), event(2), ended]).events(() => {})) read.push(id);
    expect(read).toEqual(["1", "2"]);
  });

  it("gives its reader what came before it was refused, and then says why", async () => {
    const events = followed([event(1), problem(403)]).events(() => {});
    expect((await events.next()).value).toEqual({ id: "1", data: { id: 1 } });
    await expect(events.next()).rejects.toMatchObject({ name: "PlatformError", status: 403, code: "code" });
  });

  it("is wanted again once its reader has taken all that there was, and then misses nothing", async () => {
    const stream = followed([...many, event(102)]);
    const read: string[] = [];
    const caughtUp = () => {
      stream.resume();
      for (const each of [event(101), event(102), ended]) stream.take(each);
    };
    for await (const { id } of stream.events(caughtUp)) read.push(id);
    expect(read).toEqual(Array.from({ length: 102 }, (_, index) => String(index + 1)));
  });

  it("counts attempts that failed, until there is an event", () => {
    const stream = followed([problem(503)]);
    stream.resume();
    stream.take(problem(503));
    expect(stream.failures).toBe(2);
    stream.resume();
    stream.take(event(1));
    expect(stream.failures).toBe(0);
  });

  it("is not wanted again when its reader has left", () => {
    const stream = followed([event(1)]);
    stream.leave();
    stream.resume();
    expect(stream.state).toBe("over");
  });
});
