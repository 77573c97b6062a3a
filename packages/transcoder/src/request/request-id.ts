import { randomFillSync } from "node:crypto";

const safe = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's request id if it is harmless, else a new uuid of version 7. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && safe.test(header) ? header : newUuid();
}

// Asking the system for random bytes once for many ids costs a tenth of asking for each.
const pool = Buffer.alloc(16 * 256);
let used = pool.length;

function newUuid(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + 16);
  used += 16;
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
