import type { Examination } from "./diagnose.ts";
import { type Finding, failed } from "./finding.ts";

/** What several processes found, as one list: what they found alike stands there once, and what they share is compared. */
export function merged(examinations: readonly Examination[]): Examination[] {
  const rows = examinations.flatMap(({ check, of, findings }) => findings.map((finding) => ({ check, of, finding })));
  const alike = Map.groupBy(rows, ({ check, finding }) => JSON.stringify([check, finding]));
  const once = [...alike.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ ...first, of: [...new Set(same.flatMap(({ of }) => of))] }] : [];
  });
  const order = [...new Set(once.map(({ check }) => check))];
  const all = [...once, ...sharedThatDiffers(rows)];
  return order.flatMap((name) =>
    all.filter(({ check }) => check === name).map(({ check, of, finding }) => ({ check, of, findings: [finding] })),
  );
}

interface Row {
  check: string;
  of: readonly string[];
  finding: Finding;
}

function sharedThatDiffers(rows: readonly Row[]): Row[] {
  const held = rows.flatMap(({ check, of, finding }) => (finding.shared ? [{ check, of, ...finding.shared }] : []));
  return [...Map.groupBy(held, ({ name }) => name)].flatMap(([name, holders]) => {
    const [first] = holders;
    if (!first || holders.every(({ value }) => value === first.value)) return [];
    const of = holders.flatMap((holder) => holder.of);
    const values = holders.map(({ of: names, value }) => `${names.join(", ")} ${value}`).join(", ");
    const finding = failed(`${name} differs: ${values}`, `give ${of.join(" and ")} the same ${name}`);
    return [{ check: first.check, of, finding }];
  });
}
