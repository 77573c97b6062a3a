import { nkeys } from "nats";
import { describe, expect, it } from "vitest";
import { newNkey, publicNkey, seedBytes } from "./nkey.ts";

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("the seed of a user", () => {
  it("is new each time, and has the public key that the server knows", () => {
    const { seed, publicKey } = newNkey();
    expect(publicNkey(` ${seed}\n`)).toBe(publicKey);
    expect(publicKey).toMatch(/^U[A-Z2-7]{55}$/);
    expect(newNkey().seed).not.toBe(seed);
  });

  it.each([
    ["an account's", textOf(nkeys.createAccount().getSeed())],
    ["cut short", textOf(nkeys.createUser().getSeed()).slice(0, -1)],
    // Not the last letter: some of its bits say nothing.
    ["mistyped", textOf(nkeys.createUser().getSeed()).replace(/(?<=^.{20})./, (one) => (one === "A" ? "B" : "A"))],
    ["a public key", nkeys.createUser().getPublicKey()],
    ["no text of one", "SU not a seed"],
  ])("is refused, without its text, where it is %s", (_, seed) => {
    const read = () => seedBytes(seed);
    expect(read).toThrow("NATS_NKEY is not the seed of a user");
    expect(read).not.toThrow(seed);
  });
});
