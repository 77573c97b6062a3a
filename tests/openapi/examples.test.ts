import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Described, mismatches, operations } from "./description.ts";
import { anonymousOperations, byOperator, Stage, story, unavailableHere } from "./story.ts";
import { Storyteller, type Told } from "./storyteller.ts";

let platform: LocalPlatform;
sharedPlatform((started) => {
  platform = started;
});
const statusOf = ({ id, status }: Described) => unavailableHere.get(id) ?? status;
/** How each operation's example was answered, or why it could not be sent. */
const told = new Map<string, Told | Error>();

beforeAll(async () => {
  const teller = new Storyteller(platform.description);
  const stage = await Stage.of(platform, teller);
  for (const id of story) {
    const described = operations.get(id);
    if (described === undefined) continue;
    const credential = anonymousOperations.has(id)
      ? null
      : byOperator.has(id)
        ? stage.operatorKey
        : stage.platform.bearer;
    const step = stage.prepare(id).then(() => teller.tell(described, credential, statusOf(described)));
    const outcome = await step.catch((error: Error) => error);
    told.set(id, outcome);
    if (outcome instanceof Error || outcome.status !== statusOf(described)) teller.waitLess();
  }
}, 180_000);

describe("the story that the examples tell", () => {
  it("has every operation of the description once", () => {
    expect(story.toSorted()).toEqual([...operations.keys()].toSorted());
  });
});

describe("the example of", () => {
  it.each([...operations.values()])("$id is answered as the description says", (described) => {
    const answer = told.get(described.id);
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("was not sent");
    expect([answer.status, answer.text]).toEqual([statusOf(described), answer.text]);
    if (unavailableHere.has(described.id)) return;
    expect(Object.keys(described.operation.responses[described.status].content)).toContain(answer.mediaType);
    expect(mismatches(described, answer.mediaType, answer.body)).toEqual([]);
  });
});
