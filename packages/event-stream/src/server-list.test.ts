import { describe, expect, it } from "vitest";
import { serverList } from "./server-list.ts";

describe("the servers of NATS", () => {
  it.each([
    ["nats://a:4222", { servers: ["nats://a:4222"] }],
    ["a:1, b:2", { servers: ["a:1", "b:2"] }],
    ["nats://u:p%40s:s@a:1,nats://b:2", { servers: ["nats://a:1", "nats://b:2"], user: "u", pass: "p@s:s" }],
    ["tls://a:1,tls://u:p@b:2", { servers: ["tls://a:1", "tls://b:2"], user: "u", pass: "p" }],
    ["nats://token@[::1]:1", { servers: ["nats://[::1]:1"], token: "token" }],
  ])("in %s, with their login", (text, expected) => {
    expect(serverList(text)).toEqual(expected);
  });
});
