import { memo, useEffect, useId, useRef } from "react";
import type { Segment } from "../../api/platform.ts";
import { metricText } from "../../ui/numbers.ts";
import { CurveChart } from "./curve-chart.ts";
import type { SeriesStore } from "./series-store.ts";

/** Texts and numbers where they can be: a figure is rendered again when one of them changes, and there may be many figures. */
interface MetricFigureProps {
  metric: string;
  store: SeriesStore;
  /** Those of now; stays the same function. */
  segments: () => readonly Segment[];
  isLogarithmic: boolean;
  isPrimary: boolean;
  /** The newest, and its step. */
  value: number | undefined;
  step: number | undefined;
  /** Of the primary metric. */
  bestValue: number | undefined;
  bestStep: number | undefined;
}

/** A metric: its newest value, its curve, and a sentence about it for those who do not see the curve. */
export const MetricFigure = memo(function MetricFigure(props: MetricFigureProps) {
  const { metric, store, segments, isLogarithmic, isPrimary, value, step, bestValue, bestStep } = props;
  const host = useRef<HTMLDivElement>(null);
  const height = isPrimary ? 280 : 180;
  useEffect(() => {
    if (!host.current) return;
    const chart = new CurveChart(host.current, { metric, store, segments, isLogarithmic, height });
    return () => chart.dispose();
  }, [metric, store, segments, isLogarithmic, height]);
  const caption = useId();
  return (
    <figure className={isPrimary ? "metric metric-primary" : "metric"} aria-labelledby={caption}>
      <figcaption className="metric-head">
        <span id={caption} className="metric-name">
          {metric}
        </span>
        <strong className="number">{value === undefined ? "–" : metricText(value)}</strong>
        {step !== undefined && <span className="muted number">step {step}</span>}
        {bestValue !== undefined && (
          <span className="muted number">
            best {metricText(bestValue)} at step {bestStep}
          </span>
        )}
        <output className="metric-cursor number" aria-hidden="true" />
      </figcaption>
      <div ref={host} className="metric-canvas" aria-hidden="true" />
    </figure>
  );
});
