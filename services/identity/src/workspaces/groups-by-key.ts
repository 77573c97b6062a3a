/** Items that one key ties together. */
export interface KeyGroup<T> {
  key: string;
  /** At least two, in the order of the input. */
  members: T[];
}

/**
 * Splits items into groups of at least two that share a key: again and again the key that most items hold which are in no
 * group yet, of equally many the first in the alphabet. No item is in two groups. Cost: as many steps as items hold keys,
 * and a sort of the keys.
 */
export function groupsByKey<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): KeyGroup<T>[] {
  const holders = new Map<string, T[]>();
  for (const item of items) for (const key of new Set(keysOf(item))) pushTo(holders, key, item);
  const left = new Map([...holders].map(([key, held]) => [key, held.length]));
  const bySize = new Map<number, string[]>();
  for (const [key, size] of left) pushTo(bySize, size, key);

  const groups: KeyGroup<T>[] = [];
  const taken = new Set<T>();
  for (let size = Math.max(0, ...bySize.keys()); size >= 2; size--) {
    for (const key of (bySize.get(size) ?? []).sort()) {
      const now = left.get(key) ?? 0;
      // Others have taken some of its items: its turn comes among its equals.
      if (now < size) {
        pushTo(bySize, now, key);
        continue;
      }
      const members = (holders.get(key) ?? []).filter((item) => !taken.has(item));
      for (const member of members) {
        taken.add(member);
        for (const other of new Set(keysOf(member))) left.set(other, (left.get(other) ?? 0) - 1);
      }
      groups.push({ key, members });
    }
  }
  return groups;
}

function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
