/** A point of a metric. */
export interface CurvePoint {
  step: number;
  value: number;
}

/** Points that are kept of a curve; a terminal shows fewer. */
export const maxPoints = 4_096;

/** The curve with more points, thinned where it has too many: of every four the least and the greatest stay. */
export function extended(curve: readonly CurvePoint[], points: readonly CurvePoint[]): readonly CurvePoint[] {
  const all = [...curve, ...points];
  return all.length <= maxPoints ? all : extended([], thinned(all));
}

function thinned(points: readonly CurvePoint[]): CurvePoint[] {
  const kept: CurvePoint[] = [];
  for (let from = 0; from < points.length; from += 4) {
    const four = points.slice(from, from + 4);
    const least = four.reduce((low, point) => (point.value < low.value ? point : low));
    const greatest = four.reduce((high, point) => (point.value > high.value ? point : high));
    kept.push(...four.filter((point) => point === least || point === greatest));
  }
  return kept;
}

/** Room for a drawing, in characters. */
export interface Room {
  columns: number;
  rows: number;
}

/** Dots of a braille character, by column and row. */
const dots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/** The curve as lines of text, with its axes. A character holds two by four dots. */
export function drawn(curve: readonly CurvePoint[], { columns, rows }: Room): string[] {
  const points = curve.filter(({ value }) => Number.isFinite(value)).toSorted((a, b) => a.step - b.step);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const labels = [high, low].map(numberText);
  const margin = Math.max(...labels.map((label) => label.length));
  const width = Math.max(8, columns - margin - 2);
  const canvas = new Canvas({ columns: width, rows });
  const across = (step: number) => scaled(step, first.step, last.step, width * 2 - 1);
  const down = (value: number) => scaled(value, high, low, rows * 4 - 1);
  let [x, y] = [across(first.step), down(first.value)];
  for (const { step, value } of points) {
    canvas.line([x, y], [across(step), down(value)]);
    [x, y] = [across(step), down(value)];
  }
  const lines = canvas.lines().map((line, row) => {
    const label = row === 0 ? labels[0] : row === rows - 1 ? labels[1] : "";
    return `${(label ?? "").padStart(margin)} ┤${line}`.trimEnd();
  });
  const [from, to] = [String(first.step), String(last.step)];
  return [...lines, `${" ".repeat(margin + 2)}${from}${to.padStart(Math.max(1, width - from.length))}`];
}

/** A value as short as it may be read, such as 0.0312. */
export function numberText(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : String(value);
}

/** Where a value stands between two others, as a whole number from 0 to `end`. */
function scaled(value: number, from: number, to: number, end: number): number {
  return from === to ? Math.floor(end / 2) : Math.round(((value - from) / (to - from)) * end);
}

function characterOf(bits: number): string {
  return bits === 0 ? " " : String.fromCodePoint(0x2800 + bits);
}

class Canvas {
  readonly #rows: Uint8Array[];

  constructor({ columns, rows }: Room) {
    this.#rows = Array.from({ length: rows }, () => new Uint8Array(columns));
  }

  line([x0, y0]: readonly [number, number], [x1, y1]: readonly [number, number]): void {
    const length = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
    for (let at = 0; at <= length; at++) {
      this.#dot(Math.round(x0 + ((x1 - x0) * at) / length), Math.round(y0 + ((y1 - y0) * at) / length));
    }
  }

  lines(): string[] {
    return this.#rows.map((row) => Array.from(row, characterOf).join(""));
  }

  #dot(x: number, y: number): void {
    const row = this.#rows[y >> 2];
    if (row) row[x >> 1] = (row[x >> 1] ?? 0) | (dots[(x & 1) === 0 ? 0 : 1][y & 3] ?? 0);
  }
}
