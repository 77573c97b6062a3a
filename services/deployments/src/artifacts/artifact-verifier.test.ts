import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { QueueFullError } from "@aiplatform/worker-pool";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ArtifactStore, pathOfArtifact, sha256Of } from "./artifact-store.ts";
import { ArtifactVerifier } from "./artifact-verifier.ts";
import { DirectoryStore } from "./directory-store.ts";

const organisationId = randomUUID();
let directory: string;
let store: DirectoryStore;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "verifier-"));
  store = new DirectoryStore(directory, { maxBytes: 10_000_000 });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function stored(bytes: Uint8Array, owner = organisationId): Promise<string> {
  const sha256 = sha256Of(bytes);
  const piece = async function* () {
    yield bytes;
  };
  await store.put(owner, { sha256 }, piece());
  return sha256;
}

describe("verifying an artifact", () => {
  it("finds it intact, of several pieces, and of no bytes", async () => {
    const verifier = new ArtifactVerifier(store);
    for (const bytes of [Buffer.alloc(1_000_003, "a"), Buffer.alloc(0)]) {
      expect(await verifier.verify(organisationId, await stored(bytes))).toBe("intact");
    }
  });

  it.each([
    ["one byte is another", "bc"],
    ["bytes are missing", "b"],
    ["all bytes are missing", ""],
    ["there are more bytes", "bbb"],
  ])("finds it damaged where %s", async (_how, content) => {
    const sha256 = await stored(Buffer.from("bb"));
    await writeFile(join(directory, pathOfArtifact(organisationId, sha256)), content);
    expect(await new ArtifactVerifier(store).verify(organisationId, sha256)).toBe("damaged");
  });

  it("finds it missing where only another organisation has it", async () => {
    const sha256 = await stored(Buffer.from("theirs"), randomUUID());
    expect(await new ArtifactVerifier(store).verify(organisationId, sha256)).toBe("missing");
  });
});

/** A store that answers once it is let go: it has nothing. */
class HeldStore implements Pick<ArtifactStore, "sizeOf" | "read"> {
  readonly reading: string[] = [];
  readonly letGo: PromiseWithResolvers<void> = Promise.withResolvers();

  async sizeOf(organisation: string, sha256: string): Promise<undefined> {
    this.reading.push(`${organisation} ${sha256}`);
    await this.letGo.promise;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("x");
  }
}

describe("verifying many artifacts", () => {
  it("reads one of an organisation and two of all at a time, and the same one once", async () => {
    const held = new HeldStore();
    const verifier = new ArtifactVerifier(held);
    const wanted = ["a 1", "a 1", "a 2", "b 1", "c 1"].map((each) => each.split(" "));
    const all = Promise.all(wanted.map(([organisation = "", sha256 = ""]) => verifier.verify(organisation, sha256)));
    await expect.poll(() => held.reading).toEqual(["a 1", "b 1"]);
    held.letGo.resolve();
    expect(await all).toHaveLength(5);
    expect(held.reading.toSorted()).toEqual(["a 1", "a 2", "b 1", "c 1"]);
  });

  it("refuses an organisation that has too many waiting, and no other", async () => {
    const held = new HeldStore();
    const verifier = new ArtifactVerifier(held);
    const under = Array.from({ length: 21 }, (_, index) => verifier.verify("a", String(index)));
    await expect(verifier.verify("a", "one more")).rejects.toThrow(QueueFullError);
    const other = verifier.verify("b", "1");
    held.letGo.resolve();
    expect(await Promise.all([...under, other])).toHaveLength(22);
  });
});
