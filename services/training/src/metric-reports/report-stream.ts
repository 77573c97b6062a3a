import type { Durable } from "./report.ts";

/** Max batches of one stream that are not yet durable; beyond it the sender is held back by flow control. */
export const maxInFlight = 16;

/** Settled without being thrown: a failure has its turn when everything before it was answered. */
type Settled = { durable: Durable } | { error: unknown };

type StreamEvent<Request> = { read: IteratorResult<Request> } | Settled;

/**
 * Takes batches as they arrive and answers in their order. At most `maxInFlight` are held; while that many wait for
 * the store nothing more is read from the stream. The first failure ends it, after the answers to what came before.
 */
export async function* answerInOrder<Request>(
  requests: AsyncIterable<Request>,
  accept: (request: Request) => Promise<Durable>,
): AsyncGenerator<Durable> {
  const inFlight: Promise<Settled>[] = [];
  const iterator = requests[Symbol.asyncIterator]();
  let reading: Promise<IteratorResult<Request>> | undefined = iterator.next();
  try {
    while (reading || inFlight.length > 0) {
      const turn: StreamEvent<Request> = await nextEvent(
        inFlight.length < maxInFlight ? reading : undefined,
        inFlight[0],
      );
      if ("read" in turn) {
        reading = turn.read.done ? undefined : iterator.next();
        // The code that awaits it sees the failure; until then it must not count as unhandled.
        reading?.catch(() => undefined);
        if (!turn.read.done) inFlight.push(settled(accept(turn.read.value)));
        continue;
      }
      inFlight.shift();
      if ("error" in turn) throw turn.error;
      yield turn.durable;
    }
  } finally {
    void iterator.return?.().catch(() => undefined);
  }
}

/** What batches of one stream share: once one is lost, none after it may be stored, or a repeat would pass for seen. */
export interface Origin {
  broken: boolean;
}

/**
 * Prepares one request after the other and hands each to `store` before the next is prepared, without waiting until it
 * is durable. After a failure nothing of the stream is handed on.
 */
export function inSequence<Request, Prepared>(
  prepare: (request: Request) => Promise<Prepared>,
  store: (prepared: Prepared, origin: Origin) => Promise<Durable>,
): (request: Request) => Promise<Durable> {
  const origin: Origin = { broken: false };
  let previous: Promise<unknown> = Promise.resolve();
  return async (request) => {
    const handedOn = previous.then(async () => ({ durable: store(await prepare(request), origin) }));
    previous = handedOn;
    return (await handedOn).durable;
  };
}

function nextEvent<Request>(
  reading: Promise<IteratorResult<Request>> | undefined,
  oldest: Promise<Settled> | undefined,
): Promise<StreamEvent<Request>> {
  const turns: Promise<StreamEvent<Request>>[] = [];
  if (oldest) turns.push(oldest);
  if (reading) turns.push(reading.then((read) => ({ read })));
  return Promise.race(turns);
}

async function settled(work: Promise<Durable>): Promise<Settled> {
  try {
    return { durable: await work };
  } catch (error) {
    return { error };
  }
}
