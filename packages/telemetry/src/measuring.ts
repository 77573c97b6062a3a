import type { Meter, Tracer } from "@opentelemetry/api";

/** What something that measures itself is given; what is absent is not measured. */
export interface Measuring {
  readonly meter?: Meter | undefined;
  readonly tracer?: Tracer | undefined;
}
