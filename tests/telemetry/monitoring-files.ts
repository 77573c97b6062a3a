import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../../", import.meta.url));
const component = `${root}k8s/components/monitoring/`;

/** An alert as the rule file has it. */
export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

/** The alerts. */
export const alerts: AlertRule[] = parse(readFileSync(`${component}prometheus-rule.yaml`, "utf8")).spec.groups.flatMap(
  ({ rules }: { rules: AlertRule[] }) => rules,
);

/** The page that explains them, and its sections by anchor. */
export const alertsPage = readFileSync(`${root}docs/alerts.md`, "utf8");
export const alertSections: ReadonlyMap<string, string> = new Map(
  alertsPage
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split("\n", 1)[0]?.toLowerCase().replaceAll(" ", "-") ?? "", section]),
);

interface Board {
  title: string;
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
}

/** Every query of the boards, the alerts and the page, with where it stands. */
export const queries: { where: string; query: string; legend: string }[] = [
  ...alerts.map(({ alert, expr }) => ({ where: `alert ${alert}`, query: expr, legend: "" })),
  ...[...alertSections].flatMap(([name, section]) =>
    [...section.matchAll(/^```promql\n([^`]+)```/gm)].map(([, query = ""]) => ({
      where: `docs/alerts.md#${name}`,
      query: query.trim(),
      legend: "",
    })),
  ),
  ...readdirSync(`${component}dashboards`).flatMap((file) => {
    const board: Board = JSON.parse(readFileSync(`${component}dashboards/${file}`, "utf8"));
    return board.panels.flatMap(({ title, targets }) =>
      targets.map(({ expr, legendFormat }) => ({ where: `${file}: ${title}`, query: expr, legend: legendFormat })),
    );
  }),
];
