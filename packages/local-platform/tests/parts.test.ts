import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { MongoClient } from "mongodb";

describe("the parts of a test run", () => {
  let client: MongoClient;
  beforeAll(() => {
    client = new MongoClient(process.env.TEST_MONGODB_URI ?? "");
  });
  afterAll(() => client.close());

  it("hold a replica set, so that transactions work", async () => {
    expect((await client.db("admin").command({ hello: 1 })).setName).toBe("rs0");
  });
});
