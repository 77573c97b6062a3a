import { rm } from "node:fs/promises";
import { realParts } from "./global-setup.ts";

/** Stops what the set-up started and removes its data. */
export default async function stopRealParts(): Promise<void> {
  await realParts.parts?.stop();
  if (realParts.directory) await rm(realParts.directory, { recursive: true, force: true });
}
