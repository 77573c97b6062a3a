import { useEffect, useRef } from "react";
import uPlot from "uplot";
import { numberOf } from "../api/number-of.ts";
import type { RunComparison } from "../api/platform.ts";
import { chartLook, valueScale } from "../ui/chart-look.ts";

const height = 360;

/** The curves of a comparison on one axis. The names of the runs stand below in the same colours. */
export function ComparisonChart({ comparison }: { comparison: RunComparison }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const create = () => new uPlot(optionsOf(comparison, element), tableOf(comparison), element);
    let plot = create();
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    const recolour = () => {
      plot.destroy();
      plot = create();
    };
    window.addEventListener("themechange", recolour);
    return () => {
      window.removeEventListener("themechange", recolour);
      resize.disconnect();
      plot.destroy();
    };
  }, [comparison]);
  return (
    <div
      ref={host}
      className="compare-canvas"
      role="img"
      aria-label={`Curves of ${comparison.metric} in ${comparison.runs.length} runs`}
    />
  );
}

function tableOf({ runs }: RunComparison): uPlot.AlignedData {
  const curves = runs.map(({ x, y }): uPlot.AlignedData => {
    const points = x.map((at, index): [number, number] => [numberOf(at), numberOf(y[index])]);
    // Steps of a later segment begin before those of the one that was left.
    const sorted = points.sort(([one], [other]) => one - other);
    return [sorted.map(([at]) => at), sorted.map(([, value]) => (Number.isFinite(value) ? value : null))];
  });
  return curves.length > 0 ? uPlot.join(curves) : [[]];
}

function optionsOf({ runs, axis }: RunComparison, host: HTMLElement): uPlot.Options {
  const { colour, xAxis, yAxis } = chartLook(host);
  return {
    width: host.clientWidth,
    height,
    legend: { show: false },
    scales: { x: { time: false }, y: valueScale },
    axes: [{ ...xAxis, size: 44, label: axis === "step" ? "step" : "seconds of training", labelSize: 18 }, yAxis],
    series: [
      {},
      ...runs.map(({ name }, index) => ({
        label: name,
        stroke: colour(`--series-${index + 1}`),
        width: 1.5,
        spanGaps: true,
        // Colour alone is not enough to tell curves apart.
        ...(index % 3 !== 0 && { dash: index % 3 === 1 ? [8, 3] : [2, 3] }),
        points: { show: false },
      })),
    ],
  };
}
