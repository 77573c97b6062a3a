import { describe, expect, it } from "vitest";
import { chatMessages, completionOf } from "./chat-completion.ts";

const answerTo = (content: string) => completionOf([{ role: "user", content }]);

describe("the fake language model", () => {
  it.each([
    ["answer: odd", "odd"],
    ["Is it odd?\n  Answer:  odd, or so \nThank you", "odd, or so"],
    ["answer: a\nanswer: b", "b"],
  ])("answers what %j asks for", (content, answer) => {
    expect(answerTo(content)).toBe(answer);
  });

  it.each(["", "Hello", "The answer: 42 is right", "answer:  "])(
    "answers %j with a sentence, always the same",
    (content) => {
      expect(answerTo(content)).toMatch(/^This is what a model would say to your \d+ characters \([0-9a-f]{12}\)\.$/);
      expect(answerTo(content)).toBe(answerTo(content));
      expect(answerTo(content)).not.toBe(answerTo(`${content}!`));
    },
  );

  it.each(["", "{", "null", "{}", '{"model":"m","messages":[]}', '{"model":"m","messages":[{"role":"user"}]}'])(
    "takes %j for no chat",
    (body) => {
      expect(chatMessages(body)).toBeUndefined();
    },
  );
});
