import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { send } from "./gateway-request.ts";

describe("a request to a port of another protocol", () => {
  it("may be repeated, and says what helps", async () => {
    const sent = send("http://127.0.0.1:6000", { method: "GET", path: "/", headers: {} });
    await expect(sent).rejects.toMatchObject({
      code: Code.Unavailable,
      rawMessage: expect.stringContaining("give the gateway another port"),
    });
  });
});
