import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json, until } from "../mesh/rest.ts";
import { DatasetFiles } from "../rest-contract/dataset-files.ts";
import { killed } from "./killed.ts";

let running: LocalPlatform;
sharedPlatform((started) => (running = started), { separate: true });
const data = new DatasetFiles(() => running.description);

/** Enough that each stage takes longer than looking for it: 60 MB. */
const rowCount = 1_000_000;
/** Each has other bytes: what was read before is not read again. */
function largeFile(): string {
  const lines = Array.from({ length: rowCount }, (_, row) => `${row},${(row * 7_919) % 1_000_003},text of row ${row}`);
  return `id,spread,text\n${lines.join("\n")}\n${rowCount},0,${randomUUID()}\n`;
}

const folderOf = ({ id, organisation_id }: Json) => join(running.directory, "data", organisation_id, `reading-${id}`);
const look = (path: string) => ask(running.description, { path });

/** What there is to see of a version that is in a stage. */
const stages: Readonly<Record<string, (version: Json, path: string) => Promise<boolean>>> = {
  "that waits to be read": async () => true,
  "whose file is fetched": async (version) => existsSync(join(folderOf(version), "0.csv")),
  "whose data is written": async (version) => existsSync(join(folderOf(version), "data.parquet")),
  "that says how far it is": async (_, path) => (await look(path)).body.progress?.bytes_read > 0,
  "that was just read": async (_, path) => (await look(path)).body.state === "ready",
};

async function recordsOf(version: Json, action: string): Promise<Json[]> {
  const path = `/platform/audit?action=${action}&entity_id=${version.id}`;
  const { body } = await until(
    "its record",
    60,
    () => look(path),
    (answer) => answer.body?.length > 0,
  );
  return body;
}

describe("killing the data service", () => {
  it.each(Object.entries(stages))("at a version %s makes it ready once, with all rows", async (_, isReached) => {
    const { versions } = await data.dataset(`Killed ${randomUUID()}`);
    const version = await data.create(versions, largeFile());
    const path = `${versions}/${version.id}`;
    await until(
      "the stage",
      120,
      () => isReached(version, path),
      (reached) => reached,
    );
    await killed(running, "data");
    await running.restart("data");
    const ready = await data.settled(versions, version, "ready", "failed");
    expect([ready.state, ready.row_count]).toEqual(["ready", rowCount + 1]);
    expect((await look(versions)).body.map(({ id }: Json) => id)).toEqual([version.id]);
    expect(existsSync(folderOf(version))).toBe(false);
    const [last] = (await look(`${path}/rows?offset=${rowCount - 1}&limit=1`)).body;
    expect(last.id).toBe(rowCount - 1);
  });

  it("at a successor makes it ready once, with the rows that are kept", async () => {
    const { versions } = await data.dataset(`Succeeded ${randomUUID()}`);
    const version = await data.settled(versions, await data.create(versions, largeFile()), "ready", "failed");
    const wanted = { filter: "spread < 500000", matching_rows: "remove" };
    const { body } = await ask(running.description, { path: `${versions}/${version.id}/successors`, body: wanted });
    const path = `${versions}/${body.id}`;
    await until(
      "the successor to be made",
      120,
      async () => existsSync(folderOf(body)) || (await look(path)).body.state === "ready",
      (isReached) => isReached,
    );
    await killed(running, "data");
    await running.restart("data");
    const ready = await data.settled(versions, body, "ready", "failed");
    const { body: left } = await look(
      `${versions}/${version.id}/rows?filter=${encodeURIComponent(wanted.filter)}&limit=1`,
    );
    expect([ready.state, left.length]).toEqual(["ready", 1]);
    expect((await look(versions)).body.map(({ id }: Json) => id)).toEqual([body.id, version.id]);
    expect(existsSync(folderOf(ready))).toBe(false);
    const found = await look(`${path}/rows?filter=${encodeURIComponent(wanted.filter)}&limit=1`);
    expect([found.status, found.body]).toEqual([200, []]);
    const { body: rest } = await look(
      `${versions}/${version.id}/rows?filter=${encodeURIComponent("spread >= 500000")}&limit=1&offset=${ready.row_count - 1}`,
    );
    expect(rest).toHaveLength(1);
  });

  it("at a version that is being purged removes its bytes once it is back", async () => {
    const { versions } = await data.dataset(`Purged ${randomUUID()}`);
    const version = await data.ready(versions, `secret\n${randomUUID()}\n`);
    await ask(running.description, { path: `${versions}/${version.id}/purge`, body: {} });
    await killed(running, "data");
    await running.restart("data");
    await data.settled(versions, version, "purged");
    expect((await look(`/platform/artifacts/${version.content_sha256}`)).status).toBe(404);
    expect(await recordsOf(version, "data.dataset_version.purged")).toHaveLength(1);
  });
});
