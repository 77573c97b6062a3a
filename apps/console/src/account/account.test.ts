import { describe, expect, it } from "vitest";
import { signInAddress } from "../sign-in/sign-in-address.ts";
import { signInProblemText } from "../sign-in/sign-in-problems.ts";
import { browserName } from "./browser-name.ts";

describe("the name of a browser", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0", "Firefox on Linux"],
    ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605.1 Version/26.0 Safari/605.1", "Safari on macOS"],
    ["Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"],
    ["curl/8.0", "curl/8.0"],
    ["", "Unknown"],
  ])("is short: %s", (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });
});

describe("the address of a sign-in with a provider", () => {
  it.each([
    ["/", "https://x.example/platform/sign-in/work/start"],
    ["/runs?a=b", "https://x.example/platform/sign-in/work/start?to=%2Fruns%3Fa%3Db"],
    [`/${"a".repeat(1_500)}`, "https://x.example/platform/sign-in/work/start"],
  ])("has the page to come back to: %s", (to, address) => {
    expect(signInAddress("https://x.example", "work", to)).toBe(address);
  });
});

describe("a problem of signing in", () => {
  it("has a remedy, also when this version does not know it", () => {
    expect(signInProblemText("member_inactive")).toEqual({
      text: "Your membership was deactivated.",
      remedy: "Ask an administrator of the organisation to reactivate it.",
    });
    expect(signInProblemText("constructor")).toEqual({
      text: "You could not be signed in.",
      remedy: expect.stringContaining("tell your administrator"),
    });
  });
});
