import type { Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeLlm } from "../src/fakes/llm/fake-llm.ts";

let server: Server;
let url: string;
beforeAll(async () => {
  server = await startFakeLlm({ host: "127.0.0.1", port: 0 });
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const ask = (body: unknown) => fetch(`${url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });

describe("the fake language model", () => {
  it("answers as a model behind OpenAI's protocol does", async () => {
    const answer = await ask({ model: "any", messages: [{ role: "user", content: "Is it odd?\nanswer: odd" }] });
    expect(answer.status).toBe(200);
    expect(JSON.parse(await answer.text())).toMatchObject({
      object: "chat.completion",
      model: "any",
      choices: [{ message: { role: "assistant", content: "odd" }, finish_reason: "stop" }],
    });
  });

  it("tells which models there are", async () => {
    expect(JSON.parse(await (await fetch(`${url}/models`)).text())).toMatchObject({ data: [{ id: "fake-llm" }] });
  });

  it.each([
    ["what is no chat", { model: "any" }, 400],
    ["what is too large", { model: "any", messages: [{ role: "user", content: "x".repeat(5 * 1024 * 1024) }] }, 413],
  ])("refuses %s", async (_, body, status) => {
    expect((await ask(body)).status).toBe(status);
  });
});
