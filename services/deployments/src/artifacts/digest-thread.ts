import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";

/** Takes the pieces of one artifact, answers each when it is hashed, and null with the digest. */
const hash = createHash("sha256");
parentPort?.on("message", (piece: Uint8Array | null) => {
  if (piece !== null) hash.update(piece);
  parentPort?.postMessage(piece === null ? hash.digest("hex") : null);
});
