import type { DocumentStore } from "@aiplatform/document-store";
import { eventually } from "./eventually.ts";

/**
 * Again while the server is silent for too long, since each dropped file waits for a disk that other tests keep busy, and while it
 * still drops what it was told to.
 */
export async function dropDatabase({ database }: Pick<DocumentStore, "database">): Promise<void> {
  let failure: unknown;
  const dropped = () =>
    database.dropDatabase().catch((error: unknown) => {
      failure = error;
      return false;
    });
  await eventually(dropped, "the database to be dropped").catch((timedOut) => {
    throw failure ?? timedOut;
  });
}
