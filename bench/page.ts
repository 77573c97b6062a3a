import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rows } from "./goals.ts";
import { digitsOf, type Spread, spreadText } from "./harness/figure.ts";
import type { ResultFile } from "./result-file.ts";
import { type Goal, goalText, judgedSpread, verdictOf } from "./verdict.ts";

const plot = { width: 640, height: 150, left: 52, right: 12, top: 12, bottom: 24 } as const;
const colours = { met: "#1a7f37", missed: "#cf222e", "not measured": "#6e7781" } as const;

/** What one commit has shown of a goal. */
interface Point {
  readonly commit: string;
  readonly spread: Spread;
  readonly verdict: keyof typeof colours;
  readonly disturbed: string | undefined;
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function pointsOf(
  row: number,
  goal: Goal,
  results: readonly ResultFile[],
): { points: Point[]; name: string; unit: string } {
  let [name, unit] = [goal.figure, ""];
  const points = results.flatMap(({ commit, rows: measured }): Point[] => {
    const found = measured.find((result) => result.row === row);
    const figure = found?.figures.find(({ id }) => id === goal.figure);
    const spread = found && judgedSpread(goal, found.figures);
    if (!found || !figure || !spread) return [];
    [name, unit] = [figure.name, figure.unit];
    return [{ commit, spread, verdict: verdictOf(goal, found.figures), disturbed: found.disturbed }];
  });
  return { points, name, unit };
}

/** Medians as dots, min to max as lines, the goal as a dashed line; from zero, so that heights compare. */
function svgOf(goal: Goal, points: readonly Point[], unit: string): string {
  const limit = goal.max ?? goal.min ?? 0;
  const top = Math.max(limit, ...points.map(({ spread }) => spread.max)) * 1.1;
  const x = (index: number) =>
    plot.left + ((index + 0.5) * (plot.width - plot.left - plot.right)) / Math.max(points.length, 1);
  const y = (value: number) => plot.top + (1 - value / top) * (plot.height - plot.top - plot.bottom);
  const line = (value: number) => `x1="${plot.left}" x2="${plot.width - plot.right}" y1="${y(value)}" y2="${y(value)}"`;
  const marks = points.map(({ commit, spread, verdict, disturbed }, index) => {
    const colour = colours[verdict];
    const title = `${commit}: ${spreadText(spread, digitsOf(spread.median))} ${goal.of === "value" ? unit : "×"}, ${verdict}`;
    const noise = disturbed === undefined ? "" : `; the machine was not quiet: ${disturbed}`;
    return [
      `<g><title>${escaped(title + noise)}</title>`,
      `<line x1="${x(index)}" x2="${x(index)}" y1="${y(spread.min)}" y2="${y(spread.max)}" stroke="${colour}"/>`,
      `<circle cx="${x(index)}" cy="${y(spread.median)}" r="4" stroke="${colour}" fill="${disturbed === undefined ? colour : "#fff"}"/>`,
      `<text x="${x(index)}" y="${plot.height - 6}" text-anchor="middle">${escaped(commit.slice(0, 7))}</text></g>`,
    ].join("");
  });
  return [
    `<svg viewBox="0 0 ${plot.width} ${plot.height}" role="img" aria-label="${escaped(goalText(goal, unit))}">`,
    `<line ${line(0)} stroke="#8c959f"/><line ${line(limit)} stroke="#0969da" stroke-dasharray="4 3"/>`,
    `<text x="${plot.left - 6}" y="${y(limit) + 4}" text-anchor="end">${limit}</text>`,
    `<text x="${plot.left - 6}" y="${y(0) + 4}" text-anchor="end">0</text>`,
    ...marks,
    "</svg>",
  ].join("\n");
}

function sectionOf(row: number, goal: Goal, results: readonly ResultFile[]): string {
  const { points, name, unit } = pointsOf(row, goal, results);
  const title = `<h3>${escaped(name)}: goal ${escaped(goalText(goal, unit))}</h3>`;
  const newest = points.at(-1);
  if (!newest) return `${title}<p>Not measured.</p>`;
  const figure = `${spreadText(newest.spread, digitsOf(newest.spread.median))} ${goal.of === "value" ? unit : "×"}`;
  return `${title}<p>Newest: ${escaped(figure)}, ${newest.verdict}.</p>${svgOf(goal, points, unit)}`;
}

/** The page, complete in itself: it loads nothing. */
export function pageOf(results: readonly ResultFile[]): string {
  const shown = results.filter(({ commit }) => !commit.endsWith("-changed"));
  const sections = rows.map(({ row, what, goals, benches }) => {
    const missing = typeof benches === "string" ? `<p>Not measured: ${escaped(benches)}.</p>` : "";
    return `<h2>${row}. ${escaped(what)}</h2>${missing || goals.map((goal) => sectionOf(row, goal, shown)).join("\n")}`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Benches</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}svg{width:100%}text{font-size:11px;fill:#57606a}</style>
<h1>Benches</h1>
<p>One dot a commit, the median of its rounds; the line through it goes from min to max, the dashed line is the goal. A hollow dot was
measured while the machine was not quiet.</p>
${sections.join("\n")}
</html>
`;
}

/** Writes the page beside the results. Returns its path in the repository. */
export function writePage(results: readonly ResultFile[]): string {
  writeFileSync(join(import.meta.dirname, "results", "page.html"), pageOf(results));
  return "bench/results/page.html";
}
