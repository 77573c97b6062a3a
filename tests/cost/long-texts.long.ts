import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Ask, ask, jobPath, until } from "../mesh/rest.ts";
import { Stage } from "../openapi/story.ts";
import { Storyteller } from "../openapi/storyteller.ts";
import { Attack, maxCpuMs, minSpent } from "./attack.ts";
import { EventLoops } from "./event-loops.ts";
import { nameOf, textFields } from "./text-fields.ts";
import { bodySizes, headSizes, runs } from "./worst-texts.ts";

let platform: LocalPlatform;
let loops: EventLoops;
let attack: Attack;

sharedPlatform((started) => (platform = started), { separate: true });

beforeAll(async () => {
  loops = new EventLoops(platform);
  const teller = new Storyteller(platform.description);
  const { operatorKey } = await Stage.of(platform, teller);
  attack = new Attack({ platform, operatorKey, loops, teller });
  // What is loaded and compiled at the first request is not counted.
  for (const field of textFields.slice(0, 20)) await attack.tooDear(field, "letters", 100);
}, 120_000);

/** Asked again while the gateway sheds load, which says nothing of the text. */
async function statusOf(question: Ask): Promise<number> {
  const asked = async () => (await ask(platform.description, question)).status;
  return await until("the gateway to take the request", 30, asked, (status) => status !== 503);
}

describe("a request keeps no other waiting", () => {
  it("with 40,000 blanks in a number of its body", async () => {
    const path = `${jobPath(platform.description)}/supervisions`;
    const body = { ttl_seconds: `1${" ".repeat(40_000)}x` };
    const send = async () => expect(await statusOf({ path, body })).toBe(422);
    expect((await minSpent(loops, send)).ms).toBeLessThan(maxCpuMs);
  });

  it("with thousands of pluses in a number of its query", async () => {
    const path = `/platform/audit?limit=1${"+".repeat(15_000)}x`;
    const send = async () => expect(await statusOf({ path })).toBe(422);
    expect((await minSpent(loops, send)).ms).toBeLessThan(maxCpuMs);
  });

  it("with as long a text as there can be, in places of all kinds", async () => {
    const names = Object.keys(runs);
    const found: string[] = [];
    for (const [at, field] of textFields.entries()) {
      // One place in eight meets one of the runs; in the test that takes minutes all places meet all runs.
      if (at % 8 !== 0) continue;
      const name = names[at % names.length] ?? "";
      const size = field.place === "body" ? bodySizes[3] : headSizes[1];
      found.push(...(await attack.tooDear(field, name, size)));
    }
    expect(found).toEqual([]);
  }, 300_000);

  it("and there are many such places", () => {
    expect(textFields.length).toBeGreaterThan(300);
    expect(new Set(textFields.map(nameOf)).size).toBe(textFields.length);
  });
});
