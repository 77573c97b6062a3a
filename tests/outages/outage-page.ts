import { type Outage, operationNumbers, outages } from "./outage-table.ts";

/** `1, 3-5` for 1, 3, 4 and 5. */
function ranges(numbers: readonly number[]): string {
  const found: number[][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.at(-1) === number - 1) last.push(number);
    else found.push([number]);
  }
  return listed(found.map((range) => (range.length > 1 ? `${range[0]}-${range.at(-1)}` : `${range[0]}`)));
}

/** `nats at gateway, identity` for what both of them lack. */
function dependencies(down: Outage["dependencyDown"]): string {
  const names = [...new Set(Object.values(down).flat())];
  const at = (name: string) =>
    Object.keys(down).filter((process) =>
      Object.entries(down).some(([each, lacks]) => each === process && lacks.includes(name)),
    );
  const places = Map.groupBy(names, (name) => at(name).join(", "));
  return listed(
    [...places].map(([processes, lacking]) => `${lacking.join(", ")} at ${processes}`),
    "; ",
  );
}

const listed = (names: readonly string[], separator = ", ") => names.join(separator) || "none";

function row({ what, refused, remembered, notReady, dependencyDown }: Outage): string {
  const numbers = operationNumbers.filter((number) => refused[number] !== undefined);
  const codes = [...new Set(Object.values(refused).flat())].map((code) => `\`${code}\``).join(", ");
  const kept = remembered.length > 0 ? `; after a minute ${ranges(remembered)} as well` : "";
  const cells = [what, `${ranges(numbers)}${kept}`, codes || "-", listed(notReady), dependencies(dependencyDown)];
  return `| ${cells.join(" | ")} |`;
}

/** The table of the page on failures. */
export function outageTable(): string {
  return [
    "| without | operations refused | `code` | not ready | `dependency_up` is 0 |",
    "| --- | --- | --- | --- | --- |",
    ...outages.map(row),
  ].join("\n");
}
