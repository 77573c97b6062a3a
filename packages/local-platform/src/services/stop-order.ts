/** A process stops before those that it uses; those of one line stop together. */
const stopOrder: readonly ((name: string) => boolean)[] = [
  (name) => name === "trainer" || name === "pipeline-trainer",
  (name) => name === "gateway",
  (name) => name.startsWith("training"),
  (name) => !name.startsWith("fake"),
  () => true,
];

/** The names in groups that stop one after the other. */
export function inStopOrder(names: readonly string[]): string[][] {
  const left = new Set(names);
  return stopOrder.map((belongs) => {
    const group = [...left].filter(belongs);
    for (const name of group) left.delete(name);
    return group;
  });
}
