import uPlot from "uplot";
import type { Segment } from "../../api/platform.ts";
import { chartLook, valueScale } from "../../ui/chart-look.ts";
import { metricText } from "../../ui/numbers.ts";
import { type CurveData, curveData } from "./curve-data.ts";
import { cancelDraw, scheduleDraw } from "./draw-scheduler.ts";
import type { SeriesStore } from "./series-store.ts";

/** What a chart shows, and how. */
export interface ChartOptions {
  metric: string;
  store: SeriesStore;
  segments: () => readonly Segment[];
  isLogarithmic: boolean;
  height: number;
}

/** The curve of one metric in an element: archived points in grey, a rule where each segment begins. Dragging zooms, a double click shows all. */
export class CurveChart {
  readonly #host: HTMLElement;
  readonly #options: ChartOptions;
  readonly #cleanups: (() => void)[] = [];
  #plot: uPlot | undefined;
  #archivedCount = -1;
  #isSeen = false;
  #isDirty = true;
  #range: readonly [number, number] | undefined;

  constructor(host: HTMLElement, options: ChartOptions) {
    this.#host = host;
    this.#options = options;
    this.#cleanups.push(options.store.subscribe(options.metric, this.#invalidate));
    const resize = new ResizeObserver(this.#resize);
    resize.observe(host);
    this.#cleanups.push(() => resize.disconnect());
    const seen = new IntersectionObserver((entries) => this.#see(entries.some((each) => each.isIntersecting)));
    seen.observe(host);
    this.#cleanups.push(() => seen.disconnect());
    const recolour = () => {
      this.#archivedCount = -1;
      this.#invalidate();
    };
    window.addEventListener("themechange", recolour);
    this.#cleanups.push(() => window.removeEventListener("themechange", recolour));
  }

  dispose(): void {
    cancelDraw(this.#draw);
    for (const cleanup of this.#cleanups) cleanup();
    this.#plot?.destroy();
  }

  /** A chart that is not on the screen costs nothing. */
  readonly #invalidate = (): void => {
    this.#isDirty = true;
    if (this.#isSeen) scheduleDraw(this.#draw);
  };

  #see(isSeen: boolean): void {
    this.#isSeen = isSeen;
    if (isSeen && this.#isDirty) scheduleDraw(this.#draw);
  }

  readonly #resize = (): void => {
    const width = this.#host.clientWidth;
    if (!this.#plot || width === 0 || width === this.#plot.width) return;
    this.#plot.setSize({ width, height: this.#options.height });
    this.#invalidate();
  };

  readonly #draw = (): void => {
    const width = this.#host.clientWidth;
    if (width === 0) return;
    this.#isDirty = false;
    const { store, metric, segments } = this.#options;
    const data = curveData(store.stretches(metric), segments(), { range: this.#range, width });
    const table = aligned(data);
    if (data.archived.length !== this.#archivedCount) this.#create(data.archived.length, table);
    else this.#plot?.batch(() => this.#show(table));
  };

  /** In a batch, uPlot draws at once: what it draws later would be no part of the time that the scheduler counts. */
  #show(table: uPlot.AlignedData): void {
    this.#plot?.setData(table, this.#range === undefined);
    if (this.#range !== undefined) this.#plot?.redraw();
  }

  #create(archivedCount: number, table: uPlot.AlignedData): void {
    this.#plot?.destroy();
    this.#archivedCount = archivedCount;
    this.#plot = new uPlot(this.#plotOptions(archivedCount), table, this.#host);
  }

  #plotOptions(archivedCount: number): uPlot.Options {
    const { colour, xAxis, yAxis } = chartLook(this.#host);
    const archived = {
      stroke: colour("--series-archived"),
      width: 1,
      dash: [4, 3],
      spanGaps: true,
      points: { show: false },
    };
    const { isLogarithmic, height, metric } = this.#options;
    return {
      width: this.#host.clientWidth,
      height,
      legend: { show: false },
      cursor: { sync: { key: "run" }, drag: { x: true, y: false, setScale: true }, points: { size: 6 } },
      scales: { x: { time: false }, y: isLogarithmic ? { distr: 3 } : valueScale },
      axes: [{ ...xAxis, size: 26, space: 60 }, yAxis],
      series: [
        {},
        ...Array.from({ length: archivedCount }, () => archived),
        {
          label: metric,
          stroke: colour("--series-1"),
          width: 1.5,
          spanGaps: true,
          points: { show: isSparse, size: 5 },
        },
      ],
      hooks: {
        draw: [(plot) => drawMarks(plot, this.#options.segments(), colour("--chart-mark"))],
        setCursor: [(plot) => showValue(plot, this.#host)],
        setSelect: [(plot) => this.#zoom(plot)],
        ready: [(plot) => plot.over.addEventListener("dblclick", () => this.#showAll())],
      },
    };
  }

  #zoom(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    this.#range = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    this.#invalidate();
  }

  #showAll(): void {
    this.#range = undefined;
    this.#invalidate();
  }
}

/** Few points are drawn themselves: a line of one would not be seen. */
function isSparse(plot: uPlot, series: number): boolean {
  const values = plot.data[series] ?? [];
  return values.length < 500 && values.filter((value) => value != null).length <= 20;
}

/** One table with a column of steps, as uPlot takes it. The active curve is its last. */
function aligned({ active, archived }: CurveData): uPlot.AlignedData {
  return archived.length === 0 ? active : uPlot.join([...archived, active]);
}

const words: Readonly<Record<Segment["kind"], string>> = {
  initial: "start",
  resume: "resume",
  rollback: "rollback",
  warm_restart: "warm restart",
};

/** A rule where a segment begins, with the command that began it. */
function drawMarks(plot: uPlot, segments: readonly Segment[], colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  for (const { index, kind, start_step, command_sequence } of segments) {
    const x = plot.valToPos(start_step, "x", true);
    if (index === 0 || x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const label = command_sequence === null ? words[kind] : `#${command_sequence} ${words[kind]}`;
    const row = (index % 3) * 13 * devicePixelRatio;
    const isRight = x + ctx.measureText(label).width + 8 > bbox.left + bbox.width;
    ctx.textAlign = isRight ? "right" : "left";
    ctx.fillText(label, x + (isRight ? -4 : 4) * devicePixelRatio, bbox.top + 11 * devicePixelRatio + row);
  }
  ctx.restore();
}

/** Writes the values under the cursor into the caption of the chart. */
function showValue(plot: uPlot, host: HTMLElement): void {
  const output = host.parentElement?.querySelector("output");
  if (!output) return;
  const at = plot.cursor.idx;
  const step = at == null ? undefined : plot.data[0][at];
  const value =
    at == null
      ? undefined
      : plot.data
          .slice(1)
          .map((column) => column[at])
          .findLast((each) => each != null);
  output.textContent = step === undefined || value == null ? "" : `step ${step}: ${metricText(value)}`;
}
