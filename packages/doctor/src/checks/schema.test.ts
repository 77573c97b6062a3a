import type { Migration, StoredSchema } from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
import { schemaFinding } from "./schema.ts";

const migrations = [1, 2].map(
  (version): Migration => ({
    version,
    name: `step-${version}`,
    kind: "backfill",
    batch: async () => ({ documents: 0 }),
  }),
);
const stored = (more: Partial<StoredSchema>): StoredSchema => ({
  ...{ version: 2, prepared: 2, minReader: 0, replicas: [], running: undefined },
  ...more,
});
const running = {
  ...{ holder: "r", version: 2, after: null, documents: 1_200, expires_at: new Date() },
  pass: "final" as const,
};
const earlier = { id: "r", version: 1, indexes: "" };

describe("what is said of the documents of a service", () => {
  it.each<[string, Partial<StoredSchema>, string, string]>([
    ["that are complete", {}, "ok", "version 2 of 2 of the schema"],
    [
      "that nothing has migrated",
      { version: 0, prepared: 0 },
      "ok",
      "version 0 of 2 of the schema: a running service does the rest",
    ],
    [
      "of which replicas of an earlier version run",
      { version: 1, replicas: [earlier] },
      "ok",
      "version 1 of 2 of the schema: the rest waits until 1 replicas of an earlier version end",
    ],
    [
      "that are being migrated",
      { version: 1, running },
      "ok",
      "migration 2 (step-2) is under way: 1200 documents so far",
    ],
    [
      "of a newer release that this one can read",
      { version: 3 },
      "warning",
      "the documents are of version 3 of the schema, and this release knows version 2",
    ],
    [
      "of a newer release that this one cannot read",
      { version: 3, minReader: 3 },
      "failed",
      "the documents need version 3 of the schema, and this release knows version 2",
    ],
  ])("%s", (_which, facts, state, says) => {
    expect(schemaFinding(stored(facts), migrations)).toMatchObject({ state, says });
  });
});
