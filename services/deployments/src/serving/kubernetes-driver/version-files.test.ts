import { createLogger } from "@aiplatform/service-host";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../../artifacts/artifact-store.ts";
import { startVersionFiles, type VersionContents, type VersionFilesServer } from "./version-files.ts";

const bytes = Buffer.from("weights".repeat(1_000));
const whole = sha256Of(bytes);
const torn = sha256Of(Buffer.from("torn"));
const lost = sha256Of(Buffer.from("lost"));
const others = sha256Of(Buffer.from("others"));
const file = (sha256: string) => ({ path: `${sha256}.bin`, sha256, sizeBytes: bytes.byteLength });
const version: VersionContents = { deploymentId: "d", token: "the token", files: [whole, torn, lost].map(file) };

let server: VersionFilesServer;
beforeAll(async () => {
  server = await startVersionFiles({
    artifacts: {
      sizeOf: async (organisationId, sha256) =>
        organisationId === "o" && sha256 !== lost ? bytes.byteLength : undefined,
      read: async function* (_organisationId, sha256) {
        yield bytes.subarray(0, 100);
        if (sha256 === torn) throw new Error("the volume is gone");
        yield bytes.subarray(100);
      },
    },
    versions: { find: async (organisationId, id) => (organisationId === "o" && id === "v" ? version : undefined) },
    logger: createLogger({ service: "test", level: "silent" }),
    host: "127.0.0.1",
    port: 0,
  });
});
afterAll(async () => server[Symbol.asyncDispose]());

const ask = (path: string, token = "the token", method = "GET") =>
  fetch(`http://127.0.0.1:${server.port}/serving-files/${path}`, {
    method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });

describe("a file of a version", () => {
  it("is sent whole to the bearer of its token", async () => {
    const answer = await ask(`o/d/v/${whole}`);
    expect(answer.headers.get("content-length")).toBe(String(bytes.byteLength));
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it("is broken off, not ended, when its bytes cannot be read to the end", async () => {
    const answer = await ask(`o/d/v/${torn}`);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it.each([
    ["another token", `o/d/v/${whole}`, "a token"],
    ["no token", `o/d/v/${whole}`, ""],
    ["another organisation", `p/d/v/${whole}`, "the token"],
    ["another deployment", `o/e/v/${whole}`, "the token"],
    ["another version", `o/d/w/${whole}`, "the token"],
    ["a file of another version", `o/d/v/${others}`, "the token"],
    ["a file that is lost", `o/d/v/${lost}`, "the token"],
    ["what is no digest", "o/d/v/..%2f..%2fetc%2fpasswd", "the token"],
    ["more than one file", `o/d/v/${whole}/more`, "the token"],
  ])("is not found with %s", async (_what, path, token) => {
    const answer = await ask(path, token);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe("");
  });

  it("is for reading only", async () => {
    expect((await ask(`o/d/v/${whole}`, "the token", "DELETE")).status).toBe(405);
  });
});
