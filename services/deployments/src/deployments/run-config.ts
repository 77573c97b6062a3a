/** How a version runs. */
export interface RunConfig {
  /** Instances at least; 0 lets it fall to none. */
  minInstances: number;
  maxInstances: number;
  /** After how long without a prediction the last instance may end, seconds; 0: never. */
  idleSeconds: number;
  /** Predictions of one instance at a time. */
  concurrency: number;
  /** Longest time of a prediction. */
  timeoutSeconds: number;
  /** Memory of one instance. */
  memoryMb: number;
  /** Whether a handler may open connections. */
  network: boolean;
}

/** How a version runs when nobody says otherwise. */
export const usualRunConfig: RunConfig = {
  minInstances: 1,
  maxInstances: 1,
  idleSeconds: 0,
  concurrency: 16,
  timeoutSeconds: 30,
  memoryMb: 512,
  network: false,
};
