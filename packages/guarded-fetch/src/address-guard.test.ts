import { describe, expect, it } from "vitest";
import { AddressGuard } from "./address-guard.ts";

describe("an address that is not public", () => {
  const guard = new AddressGuard([]);

  it.each([
    ["this host", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["loopback", "127.0.0.1"],
    ["loopback elsewhere", "127.255.255.254"],
    ["a private network of class A", "10.0.0.1"],
    ["a private network of class B", "172.16.0.1"],
    ["the end of the private networks of class B", "172.31.255.255"],
    ["a private network of class C", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["cloud metadata", "169.254.169.254"],
    ["protocol assignments", "192.0.0.1"],
    ["documentation", "203.0.113.1"],
    ["benchmarks", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["no address of version 6", "::"],
    ["loopback of version 6", "::1"],
    ["unique local", "fd00::1"],
    ["cloud metadata of version 6", "fd00:ec2::254"],
    ["link local", "fe80::1"],
    ["link local with its zone", "fe80::1%eth0"],
    ["site local", "fec0::1"],
    ["multicast of version 6", "ff02::1"],
    ["documentation of version 6", "2001:db8::1"],
    ["loopback mapped", "::ffff:127.0.0.1"],
    ["loopback mapped in hexadecimal", "::ffff:7f00:1"],
    ["metadata mapped", "::ffff:169.254.169.254"],
    ["loopback in the deprecated compatible form", "::7f00:1"],
    ["loopback through a translator", "64:ff9b::7f00:1"],
    ["loopback through a tunnel", "2002:7f00:1::"],
    ["a tunnel", "2001:0:7f00:1::"],
    ["an address that is not assigned yet", "4000::1"],
    ["no address", "localhost"],
    ["nothing", ""],
  ])("is refused: %s (%s)", (_, address) => {
    expect(guard.mayReach(address)).toBe(false);
    expect(guard.isAllowed(address)).toBe(false);
  });
});

describe("an address that is public", () => {
  it.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8", "2606:4700::1111"])("is taken: %s", (address) => {
    expect(new AddressGuard([]).mayReach(address)).toBe(true);
    expect(new AddressGuard([]).isAllowed(address)).toBe(false);
  });
});

describe("an address in an allowed network", () => {
  const guard = new AddressGuard(["127.0.0.0/8", "::1/128", "10.1.0.0/16", "fd00:1::/32"]);

  it.each([
    ["127.0.0.1", true],
    ["::ffff:127.0.0.1", true],
    ["::1", true],
    ["10.1.255.1", true],
    ["10.2.0.1", false],
    ["fd00:1::5", true],
    ["fd00:2::5", false],
    ["169.254.169.254", false],
  ])("%s: %s", (address, expected) => {
    expect(guard.mayReach(address)).toBe(expected);
    expect(guard.isAllowed(address)).toBe(expected);
  });
});

describe("networks that make no sense", () => {
  it.each(["127.0.0.1", "localhost", "10.0.0.0/33", "::/129", "", "10/8"])("are named: %s", (network) => {
    expect(() => new AddressGuard([network])).toThrow(`${network} is not a network`);
  });
});
