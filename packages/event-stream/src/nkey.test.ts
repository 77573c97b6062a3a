import { nkeys } from "nats";
import { describe, expect, it } from "vitest";
import { newNkey, nkeyOf } from "./nkey.ts";

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("the key of a user's seed", () => {
  it("has the public key and the signatures that the NATS client makes of it", () => {
    for (let count = 0; count < 20; count += 1) {
      const user = nkeys.createUser();
      const own = nkeyOf(` ${textOf(user.getSeed())}\n`);
      expect(own.publicKey).toBe(user.getPublicKey());
      const nonce = crypto.getRandomValues(new Uint8Array(11 + count));
      expect(own.sign(nonce)).toEqual(Buffer.from(user.sign(nonce)));
    }
  });

  it.each([
    ["an account's", textOf(nkeys.createAccount().getSeed())],
    ["cut short", textOf(nkeys.createUser().getSeed()).slice(0, -1)],
    ["mistyped", textOf(nkeys.createUser().getSeed()).replace(/.$/, (last) => (last === "A" ? "B" : "A"))],
    ["a public key", nkeys.createUser().getPublicKey()],
    ["no text of one", "SU not a seed"],
  ])("is refused, without its text, where the seed is %s", (_, seed) => {
    const read = () => nkeyOf(seed);
    expect(read).toThrow("NATS_NKEY is not the seed of a user");
    expect(read).not.toThrow(seed);
  });

  it("is one that the NATS client reads, where it is new", () => {
    const { seed, publicKey } = newNkey();
    expect(nkeys.fromSeed(bytesOf(seed)).getPublicKey()).toBe(publicKey);
    expect(newNkey().seed).not.toBe(seed);
  });

  it("has signatures that its public key verifies", () => {
    const own = nkeyOf(textOf(nkeys.createUser().getSeed()));
    const signature = own.sign(bytesOf("nonce"));
    expect(nkeys.fromPublic(own.publicKey).verify(bytesOf("nonce"), signature)).toBe(true);
    expect(nkeys.fromPublic(own.publicKey).verify(bytesOf("other"), signature)).toBe(false);
  });
});
