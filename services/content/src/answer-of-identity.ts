import { refusal } from "@aiplatform/caller-identity";
import { Code, ConnectError } from "@connectrpc/connect";

/**
 * What identity answers to a call that may be repeated. One that takes too long has had no effect here: its caller hears
 * UNAVAILABLE and comes back, instead of DEADLINE_EXCEEDED, which leaves open what was done.
 */
export async function answerOfIdentity<R>(answer: Promise<R>): Promise<R> {
  try {
    return await answer;
  } catch (error) {
    if (ConnectError.from(error).code !== Code.DeadlineExceeded) throw error;
    throw refusal("IDENTITY_UNAVAILABLE", error);
  }
}
