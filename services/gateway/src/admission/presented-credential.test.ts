import { ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { presentedCredential } from "./presented-credential.ts";

const missing = "no credential was presented";
const malformed = "the credential is not one this platform could have issued";

describe("the credential of a request", () => {
  it.each([
    ["a bearer token", { authorization: "Bearer abc.def" }, true, { bearer: "abc.def", apiKey: "" }],
    ["a scheme in other letters", { authorization: "bEARER abc" }, true, { bearer: "abc", apiKey: "" }],
    ["an API key alone", { "api-key": "aip_1" }, true, { bearer: "", apiKey: "aip_1" }],
    ["both", { authorization: "Bearer abc", "api-key": "aip_1" }, true, { bearer: "abc", apiKey: "aip_1" }],
    [
      "a key the operation does not take",
      { authorization: "Bearer a", "api-key": "k" },
      false,
      { bearer: "a", apiKey: "" },
    ],
  ])("is read from %s", (_, headers, takesApiKey, expected) => {
    expect(presentedCredential(headers, takesApiKey)).toEqual(expected);
  });

  const remedy = "send Authorization: Bearer, a blank, and the key or token";

  it.each([
    ["a key in Api-Key", { "api-key": "k" }, `${missing}: Api-Key is not read here, ${remedy}`],
    ["a key in X-API-Key", { "x-api-key": "k" }, `${missing}: X-API-Key is not read here, ${remedy}`],
    ["nothing", {}, `${missing}: ${remedy}`],
    [
      "a key without its scheme",
      { authorization: "k" },
      `${malformed}: Authorization does not begin with Bearer, ${remedy}`,
    ],
    ["no key behind the scheme", { authorization: "Bearer " }, `${malformed}: no token follows Bearer, ${remedy}`],
  ])("is refused with what to do where a request has %s, without a word of the key", (_, headers, text) => {
    expect(() => presentedCredential(headers, false)).toThrow(`] ${text}`);
  });

  it.each([
    ["nothing was sent", {}, true, missing],
    ["only a key the operation does not take was sent", { "api-key": "k" }, false, missing],
    ["the scheme is another", { authorization: "Basic abc" }, true, malformed],
    ["the token is missing", { authorization: "Bearer " }, true, malformed],
    ["a bad bearer stands beside a key", { authorization: "abc", "api-key": "aip_1" }, true, malformed],
    ["the key is blank beside a bearer", { authorization: "Bearer abc", "api-key": " " }, true, malformed],
  ])("is refused when %s", (_, headers, takesApiKey, text) => {
    expect(() => presentedCredential(headers, takesApiKey)).toThrow(ConnectError);
    expect(() => presentedCredential(headers, takesApiKey)).toThrow(text);
  });
});
