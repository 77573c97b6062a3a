import uPlot from "uplot";
import { metricText } from "./numbers.ts";
import { flatRange } from "./value-range.ts";

/** What all charts have in common, in the colours of the theme. */
export interface ChartLook {
  /** The colour of a token, such as `--series-1`. */
  colour: (token: string) => string;
  /** Of steps or seconds. */
  xAxis: uPlot.Axis;
  /** Of values. */
  yAxis: uPlot.Axis;
}

/** The look of a chart in an element, as its theme is now. */
export function chartLook(host: HTMLElement): ChartLook {
  const style = getComputedStyle(host);
  const colour = (token: string) => style.getPropertyValue(token);
  // Otherwise a canvas has the font of the device, and the page around it another.
  const font = `12px ${style.fontFamily}`;
  const axis: uPlot.Axis = {
    stroke: colour("--chart-text"),
    font,
    labelFont: `600 ${font}`,
    grid: { stroke: colour("--chart-grid"), width: 1 },
    ticks: { show: false },
  };
  const values = (_plot: uPlot, splits: (number | null)[]) =>
    splits.map((each) => (each === null ? "" : metricText(each)));
  return { colour, xAxis: axis, yAxis: { ...axis, size: 58, values } };
}

/** Scales of values; uPlot's own range of equal values would run from zero to twice the value. */
export const valueScale: uPlot.Scale = {
  range: (_plot, min: number | null, max: number | null) => {
    if (min === null || max === null) return [null, null];
    return min === max ? flatRange(min) : uPlot.rangeNum(min, max, 0.1, true);
  },
};
