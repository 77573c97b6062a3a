import { type RunDatasets, StateWorkload } from "@aiplatform/trainer";

const parameters = { learning_rate: 0.01 };

/** The loss sinks towards a floor that moves with the step: a step that is lost or taken twice shows in every later point. */
function next({ step, train_loss }: DecayState, { learning_rate }: { learning_rate: number }): DecayState {
  const floor = Math.sin(step) / 10;
  return { step: step + 1, train_loss: train_loss - learning_rate * (train_loss - floor), learning_rate };
}

interface DecayState {
  step: number;
  train_loss: number;
  learning_rate: number;
}

const begin = ({ learning_rate }: { learning_rate: number }): DecayState => ({ step: 0, train_loss: 1, learning_rate });

interface DecayOptions {
  plannedSteps?: number | undefined;
  read?: ((datasets: RunDatasets) => Promise<void>) | undefined;
}

/** A workload that costs nothing: what is tested is the steering. */
export function decayWorkload(directory: string, { plannedSteps = 1_000_000, read }: DecayOptions = {}) {
  return StateWorkload.open({
    directory,
    parameters,
    ...(read && { read }),
    begin,
    next,
    metrics: ({ train_loss, learning_rate }) => ({ train_loss, learning_rate }),
    plannedSteps,
    checkpointEvery: 40,
  });
}

/** The losses of an uninterrupted run of so many steps. */
export function uninterrupted(steps: number): [step: number, loss: number][] {
  const curve: [number, number][] = [];
  for (let state = begin(parameters); state.step < steps; ) {
    state = next(state, parameters);
    curve.push([state.step, state.train_loss]);
  }
  return curve;
}
