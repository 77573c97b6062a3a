import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createSourceReader } from "./source-address.ts";

function requestFrom(peer: string, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: peer });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers["x-forwarded-for"] = forwarded;
  return request;
}

describe("the source of a request", () => {
  const proxies = ["10.0.0.0/8", "fd00::/8"];
  it.each([
    ["the peer when no proxy forwards", "203.0.113.7", undefined, "203.0.113.7"],
    ["the peer when it is no proxy of ours, whatever it claims", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["who a proxy of ours names", "10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["the right-most who is no proxy, not what stands left of it", "10.0.0.1", "1.2.3.4, 203.0.113.7", "203.0.113.7"],
    ["found behind several proxies", "10.0.0.1", "1.2.3.4, 203.0.113.7, 10.9.9.9", "203.0.113.7"],
    ["the nearest known hop when a proxy names none", "10.0.0.1", "unknown, 10.9.9.9", "10.9.9.9"],
    ["the left-most when all are proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["found behind a proxy that is reached by IPv6", "::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
  ])("is %s", (_, peer, forwarded, expected) => {
    expect(createSourceReader(proxies)(requestFrom(peer, forwarded)).address).toBe(expected);
  });

  it("is the peer where no proxy is trusted", () => {
    expect(createSourceReader([])(requestFrom("10.0.0.1", "203.0.113.7")).address).toBe("10.0.0.1");
  });

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["::1", "::/64"],
  ])("%s counts as %s", (peer, network) => {
    expect(createSourceReader([])(requestFrom(peer)).network).toBe(network);
  });

  it.each(["", "10.0.0.0/33", "10.0.0", "example.org", "10.0.0.0/0"])("cannot be read through %p", (network) => {
    expect(() => createSourceReader([network])).toThrow(TypeError);
  });
});
