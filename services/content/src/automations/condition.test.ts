import { describe, expect, it } from "vitest";
import { ConditionError, holds, readCondition } from "./condition.ts";

const event = { job_name: "evaluate", metrics: { accuracy: 0.85 }, tags: ["a", "b"] };

describe("a condition", () => {
  it.each([
    ["", true],
    ["event.job_name == 'evaluate'", true],
    ["event.job_name == 'train'", false],
    ["event.metrics.accuracy < 0.9", true],
    ["event.job_name == 'evaluate' and event.metrics.accuracy < 0.8", false],
    ["event['metrics']['accuracy'] < 0.8 or event.tags contains 'b'", true],
    ["not event.nothing", true],
    ["event.nothing", false],
    ["event.metrics.loss < 0.9", false],
    ["event.constructor", false],
  ])("%s", (when, expected) => {
    expect(holds(when, event)).toBe(expected);
  });

  it("was refused on a busy machine, where fifty milliseconds pass between two instructions", () => {
    const busy = {
      get status() {
        for (const end = performance.now() + 100; performance.now() < end; );
        return "done";
      },
    };
    expect(holds("event.status == 'done' and event.status != ''", busy)).toBe(true);
  });

  it.each([
    ["that stops in the middle", "event.a =="],
    ["without an operand before its operator", "== 1"],
    ["that is two", "event.a event.b"],
    ["followed by something else", "event.a == 1 junk"],
    ["that closes the tag around it", "true %}{% if false"],
    ["with an output in it", "{{ event.a }}"],
    ["that cannot be read", "-%"],
    ["with a filter that there is not", "event.a | nothing"],
    ["that reads something else", "steps.a == 1"],
    ["that reads something that begins alike", "events.a == 1"],
  ])("%s is refused", (_, when) => {
    expect(() => readCondition(when)).toThrow(ConditionError);
  });

  it("that would keep the process busy ends with an error", () => {
    expect(() => holds("(1..1000000000) contains event.job_name", event)).toThrow(ConditionError);
  });
});
