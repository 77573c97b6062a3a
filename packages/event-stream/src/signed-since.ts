import { type DocumentStore, isDuplicateKey, translated } from "@aiplatform/document-store";

/** A place in a stream. The incarnation changes when the stream was made again. */
export interface StreamPlace {
  incarnation: string;
  sequence: number;
}

/** The last events and dead letters of a time in which they were not signed. */
export interface SignedSince {
  events: StreamPlace;
  deadLetters: StreamPlace;
}

type SignedSinceDocument = SignedSince & { _id: string };

/**
 * From where on a service takes signed events alone. It is found once, when the service first asks for signatures, and kept with
 * its data: what an earlier version had left in the stream is read, and what comes later without a signature is not.
 */
export async function signedSince(store: DocumentStore, find: () => Promise<SignedSince>): Promise<SignedSince> {
  const states = store.database.collection<SignedSinceDocument>("outbox_state");
  const read = () => translated(() => states.findOne({ _id: "signed_since" }));
  const known = await read();
  if (known) return known;
  const found = await find();
  try {
    await translated(() => states.insertOne({ _id: "signed_since", ...found }));
    return found;
  } catch (error) {
    // Another replica was first.
    const stored = isDuplicateKey(error) ? await read() : undefined;
    if (!stored) throw error;
    return stored;
  }
}
