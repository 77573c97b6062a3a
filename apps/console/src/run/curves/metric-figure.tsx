import { useEffect, useId, useRef } from "react";
import type { LiveRun } from "../../api/live-run.ts";
import type { Segment } from "../../api/platform.ts";
import { metricText } from "../../ui/numbers.ts";
import { CurveChart } from "./curve-chart.ts";
import type { SeriesStore } from "./series-store.ts";

interface MetricFigureProps {
  metric: string;
  store: SeriesStore;
  live: LiveRun;
  isLogarithmic: boolean;
  isPrimary: boolean;
}

/** A metric: its newest value, its curve, and a sentence about it for those who do not see the curve. */
export function MetricFigure({ metric, store, live, isLogarithmic, isPrimary }: MetricFigureProps) {
  const host = useRef<HTMLDivElement>(null);
  const segments = useRef<readonly Segment[]>(live.segments);
  segments.current = live.segments;
  const height = isPrimary ? 280 : 180;
  useEffect(() => {
    if (!host.current) return;
    const chart = new CurveChart(host.current, {
      metric,
      store,
      segments: () => segments.current,
      isLogarithmic,
      height,
    });
    return () => chart.dispose();
  }, [metric, store, isLogarithmic, height]);
  const caption = useId();
  const newest = live.metrics[metric];
  const best = isPrimary ? live.primary?.best : undefined;
  return (
    <figure className={isPrimary ? "metric metric-primary" : "metric"} aria-labelledby={caption}>
      <figcaption className="metric-head">
        <span id={caption} className="metric-name">
          {metric}
        </span>
        <strong className="number">{newest ? metricText(newest.value) : "–"}</strong>
        {newest && <span className="muted number">step {newest.step}</span>}
        {best && (
          <span className="muted number">
            best {metricText(best.value)} at step {best.step}
          </span>
        )}
        <output className="metric-cursor number" aria-hidden="true" />
      </figcaption>
      <div ref={host} className="metric-canvas" aria-hidden="true" />
    </figure>
  );
}
