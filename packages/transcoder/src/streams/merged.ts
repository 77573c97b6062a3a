/** An item that waits until the reader takes it. */
interface Offer<T> {
  readonly item: T;
  /** Told whether more is wanted. */
  readonly taken: (isMoreWanted: boolean) => void;
}

/**
 * Several sources as one, in the order in which their items arrive. Each source is asked for its next item when the reader asks for what
 * follows the last one: one item of each waits at most, and a source that is fast or large takes no turn of another. Sources do not throw.
 */
export async function* merged<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T, void, undefined> {
  const offers: Offer<T>[] = [];
  let news = Promise.withResolvers<void>();
  let open = sources.length;
  let isOver = false;
  const offerAll = async (source: AsyncIterable<T>) => {
    try {
      for await (const item of source) {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        offers.push({ item, taken: resolve });
        news.resolve();
        if (isOver || !(await promise)) return;
      }
    } finally {
      open -= 1;
      news.resolve();
    }
  };
  const offering = Promise.all(sources.map(offerAll));
  let read: Offer<T> | undefined;
  // Awaited below, unless the reader leaves before.
  offering.catch(() => undefined);
  try {
    while (open > 0 || offers.length > 0) {
      const offer = offers.shift();
      if (offer === undefined) {
        await news.promise;
        news = Promise.withResolvers();
        continue;
      }
      read = offer;
      yield offer.item;
      offer.taken(true);
    }
    await offering;
  } finally {
    isOver = true;
    // Of one that has been taken this changes nothing.
    for (const offer of [read, ...offers]) offer?.taken(false);
  }
}
