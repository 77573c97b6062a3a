/** The first message of a stream, and all of them; undefined: it has none. Who stops reading them ends the stream. */
export async function firstMessage<T>(
  messages: AsyncIterable<T>,
): Promise<{ first: T | undefined; messages: AsyncIterable<T> }> {
  const iterator = messages[Symbol.asyncIterator]();
  const step = await iterator.next();
  const first: T | undefined = step.done === true ? undefined : step.value;
  return { first, messages: startingWith(step, iterator) };
}

async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    for (let step = first; step.done !== true; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}
