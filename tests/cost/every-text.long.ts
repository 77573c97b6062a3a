import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { operations } from "../openapi/description.ts";
import { anonymousOperations, byOperator, Stage, story } from "../openapi/story.ts";
import { Storyteller } from "../openapi/storyteller.ts";
import { Attack } from "./attack.ts";
import { EventLoops } from "./event-loops.ts";
import { textFields } from "./text-fields.ts";
import { runs } from "./worst-texts.ts";

let platform: LocalPlatform;
let stage: Stage;
let teller: Storyteller;
let attack: Attack;

ownPlatform(
  (started) => {
    platform = started;
  },
  { separate: "services" },
);

beforeAll(async () => {
  teller = new Storyteller(platform.description);
  stage = await Stage.of(platform, teller);
  attack = new Attack({ platform, operatorKey: stage.operatorKey, loops: new EventLoops(platform), teller });
}, 60_000);

/** How many operations of the story have been told. */
let told = 0;

/** Tells the story up to an operation, so that what it is about is there, also where the tests of others are left out. */
async function tellUpTo(id: string): Promise<void> {
  for (const end = story.indexOf(id); told < end; told++) {
    const next = story[told];
    if (next !== undefined) await tell(next);
  }
  await stage.prepare(id).catch(() => undefined);
}

async function tell(id: string): Promise<void> {
  await stage.prepare(id).catch(() => undefined);
  const described = operations.get(id);
  if (described === undefined) return;
  const credential = anonymousOperations.has(id)
    ? null
    : byOperator.has(id)
      ? stage.operatorKey
      : stage.platform.bearer;
  // An attack may have done already what is told; that the story goes well is another test's matter.
  await teller.tell(described, credential).catch(() => undefined);
}

describe("no text of any length costs an event loop more than its share", () => {
  it.each(story.map((id) => [id]))("in %s", async (id) => {
    await tellUpTo(id);
    const found: string[] = [];
    for (const field of textFields.filter(({ operation }) => operation.id === id)) {
      found.push(...(await attack.findings(field, Object.keys(runs))));
    }
    expect(found).toEqual([]);
  });
});
