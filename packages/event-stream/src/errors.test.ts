import { NatsError } from "nats";
import { describe, expect, it } from "vitest";
import { EventStreamUnavailableError, InvalidEventError, reasonOf } from "./errors.ts";

const missing = Object.assign(new NatsError("stream not found", "404"), {
  api_error: { code: 404, err_code: 10_059, description: "stream not found" },
});
const other = Object.assign(new NatsError("consumer not found", "404"), {
  api_error: { code: 404, err_code: 10_014, description: "consumer not found" },
});
const invalid = new InvalidEventError("its data does not decode");

describe("what a log says of a failure of the event stream", () => {
  it.each([
    ["a stream that identity has not made yet", missing, { reason: "stream not found" }],
    ["no connection", new EventStreamUnavailableError("not connected"), { reason: "not connected" }],
    ["another refusal of JetStream", other, { err: other }],
    ["an event that cannot be read", invalid, { err: invalid }],
  ])("%s", (_, error, said) => {
    expect(reasonOf(error)).toEqual(said);
  });
});
