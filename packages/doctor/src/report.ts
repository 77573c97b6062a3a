import { styleText } from "node:util";
import type { Examination } from "./diagnose.ts";
import type { Finding } from "./finding.ts";

const marks = { ok: "ok  ", warning: "WARN", failed: "FAIL" } as const;
const colours = { ok: "green", warning: "yellow", failed: "red" } as const;

/** Whether nothing failed; warnings do not count. */
export function isHealthy(examinations: readonly Examination[]): boolean {
  return examinations.every(({ findings }) => findings.every(({ state }) => state !== "failed"));
}

/** What was found, for people: a line each, and below what is wrong what helps. */
export function reportText(examinations: readonly Examination[], { coloured = false } = {}): string {
  const found = examinations.filter(({ findings }) => findings.length > 0);
  const widths = {
    check: Math.max(...found.map(({ check }) => check.length)),
    of: Math.max(...found.map(({ of }) => of.join(", ").length)),
  };
  const lines = found.flatMap(({ check, of, findings }) =>
    findings.map((finding) => {
      const mark = coloured
        ? styleText(colours[finding.state], marks[finding.state], { validateStream: false })
        : marks[finding.state];
      const where = `${check.padEnd(widths.check)}  ${of.join(", ").padEnd(widths.of)}`;
      return `${mark}  ${where}  ${finding.says}\n${remedyLine(finding)}`;
    }),
  );
  return `${lines.join("")}\n${summary(found)}\n`;
}

function remedyLine({ remedy }: Finding): string {
  return remedy ? `      remedy: ${remedy}\n` : "";
}

function summary(examinations: readonly Examination[]): string {
  const all = examinations.flatMap(({ findings }) => findings);
  const count = (state: Finding["state"]) => all.filter((finding) => finding.state === state).length;
  return `${count("ok")} ok, ${count("warning")} warnings, ${count("failed")} failed`;
}
