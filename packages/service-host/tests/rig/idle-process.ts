// A process with nothing open: what runs until a signal has to keep it alive by itself.
import { runUntilSignal } from "../../src/index.ts";

const stop = async () => {};
await runUntilSignal(async () => ({ name: "idle", addresses: {}, stop, [Symbol.asyncDispose]: stop }));
