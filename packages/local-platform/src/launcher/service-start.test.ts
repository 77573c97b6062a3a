import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ServerAddresses, ServiceStart } from "./service-start.ts";

const at = { mongodbUri: "mongodb://127.0.0.1:1", natsUrl: "nats://127.0.0.1:2" };
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "service-start-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A start whose attempts are noted, of which those fail whose numbers are given. */
function startOf({ hasData = true, failing = [] as number[] }) {
  if (hasData) mkdirSync(join(directory, "mongodb", "data"), { recursive: true });
  const done: string[] = [];
  let attempts = 0;
  const start = async ({ mongodbUri }: ServerAddresses) => {
    attempts += 1;
    done.push(`start ${mongodbUri}`);
    if (failing.includes(attempts)) throw new Error(`attempt ${attempts}`);
  };
  const stop = async () => void done.push("stop");
  const services = new ServiceStart({ directory, start, stop });
  const locate = ({ mongodbUri, natsUrl }: ServerAddresses) => {
    services.located("nats", natsUrl);
    services.located("mongodb", mongodbUri);
  };
  return { services, locate, done };
}

describe("the start of the services", () => {
  it("begins where the servers will answer, once both places are known", async () => {
    const { services, locate, done } = startOf({});
    services.located("mongodb", at.mongodbUri);
    expect(done).toEqual([]);
    locate(at);
    expect(done).toEqual([`start ${at.mongodbUri}`]);
    await services.finish(at);
    expect(done).toHaveLength(1);
  });

  it("waits for servers that have no data: they know no user yet", async () => {
    const { services, locate, done } = startOf({ hasData: false });
    locate(at);
    expect(done).toEqual([]);
    await services.finish(at);
    expect(done).toEqual([`start ${at.mongodbUri}`]);
  });

  it("waits for servers that are started elsewhere, of which nothing is heard", async () => {
    const { services, done } = startOf({});
    await services.finish(at);
    expect(done).toEqual([`start ${at.mongodbUri}`]);
  });

  it("is made again where a server had to go to another port", async () => {
    const { services, locate, done } = startOf({});
    locate(at);
    const other = { ...at, mongodbUri: "mongodb://127.0.0.1:3" };
    await services.finish(other);
    expect(done).toEqual([`start ${at.mongodbUri}`, "stop", `start ${other.mongodbUri}`]);
  });

  it("is made again where a service has ended before the servers answered", async () => {
    const { services, locate, done } = startOf({ failing: [1] });
    locate(at);
    await services.finish(at);
    expect(done).toEqual([`start ${at.mongodbUri}`, "stop", `start ${at.mongodbUri}`]);
  });

  it("fails with what the second attempt says", async () => {
    const { services, locate } = startOf({ failing: [1, 2] });
    locate(at);
    await expect(services.finish(at)).rejects.toThrow("attempt 2");
  });

  it("does not begin once it is given up", () => {
    const { services, locate, done } = startOf({});
    services.giveUp();
    locate(at);
    expect(done).toEqual([]);
  });
});
