import { setImmediate } from "node:timers/promises";
import type { Hyperparameters } from "./hyperparameters.ts";
import { type Mnist, pixelsPerImage } from "./mnist.ts";
import { initialParameters, type Judgement, NetworkPass, parameterCount } from "./network.ts";
import { Random } from "./random.ts";
import { learningRateAt } from "./schedule.ts";
import type { TrainingState } from "./training-state.ts";

/** Mean loss and share of right answers over some images. */
export interface Score {
  loss: number;
  accuracy: number;
}

/** Images judged between two looks at the event loop, some 10 ms. */
const imagesPerTurn = 500;

/** A network being trained, in memory. */
export class TrainingSession {
  readonly #data: Mnist;
  readonly #state: TrainingState;
  readonly #random: Random;
  readonly #gradients: Float32Array;
  readonly #pass: NetworkPass;

  private constructor(data: Mnist, state: TrainingState) {
    this.#data = data;
    this.#random = new Random(state.random);
    this.#state = state;
    this.#gradients = new Float32Array(state.parameters.length);
    this.#pass = new NetworkPass(state.parameters, this.#gradients);
  }

  /** Starts from random weights. */
  static fresh(data: Mnist, hyperparameters: Hyperparameters): TrainingSession {
    const random = Random.seeded(hyperparameters.seed);
    return TrainingSession.#begin(data, { hyperparameters, random, step: 0, parameters: initialParameters(random) });
  }

  /** Goes on exactly where the state was taken. */
  static restore(data: Mnist, state: TrainingState): TrainingSession {
    return new TrainingSession(data, copyOf(state));
  }

  /** Starts again from known weights: optimizer, schedule, random numbers and data position are reset. */
  static warm(data: Mnist, from: TrainingState, hyperparameters: Hyperparameters): TrainingSession {
    const random = Random.seeded(hyperparameters.seed);
    return TrainingSession.#begin(data, {
      hyperparameters,
      random,
      step: from.step,
      parameters: from.parameters.slice(),
    });
  }

  static #begin(data: Mnist, { hyperparameters, random, step, parameters }: Begin): TrainingSession {
    const order = Uint32Array.from(data.trainLabels, (_, index) => index);
    random.shuffle(order);
    const velocity = new Float32Array(parameterCount());
    const window = { steps: 0, loss: 0, accuracy: 0 };
    const position = { step, scheduleStart: step, epoch: 0, offset: 0, window };
    return new TrainingSession(data, {
      hyperparameters,
      ...position,
      order,
      random: random.state,
      parameters,
      velocity,
    });
  }

  get step(): number {
    return this.#state.step;
  }

  get hyperparameters(): Hyperparameters {
    return this.#state.hyperparameters;
  }

  /** Whether the schedule has run out. */
  get complete(): boolean {
    return this.#state.step - this.#state.scheduleStart >= this.hyperparameters.plannedSteps;
  }

  /** The rate that the next step will use. */
  get learningRate(): number {
    const { step, scheduleStart, hyperparameters } = this.#state;
    return learningRateAt(hyperparameters.learningRate, step - scheduleStart, hyperparameters.plannedSteps);
  }

  /** Changes what may change between two steps. */
  change(hyperparameters: Hyperparameters): void {
    this.#state.hyperparameters = hyperparameters;
  }

  /** Learns from the next batch; returns the score on it before the update. */
  takeStep(): Score {
    const { batchSize } = this.hyperparameters;
    let loss = 0;
    let correct = 0;
    for (let image = 0; image < batchSize; image++) {
      const judgement = this.#learnNextImage();
      loss += judgement.loss;
      if (judgement.correct) correct += 1;
    }
    this.#update(this.learningRate / batchSize);
    const { window } = this.#state;
    this.#state.step += 1;
    const score = { loss: loss / batchSize, accuracy: correct / batchSize };
    window.steps += 1;
    window.loss += score.loss;
    window.accuracy += score.accuracy;
    return score;
  }

  /** The mean score of the steps since this was last asked; part of the state, so that a pause does not show in it. */
  takeMean(): Score {
    const { steps, loss, accuracy } = this.#state.window;
    this.#state.window = { steps: 0, loss: 0, accuracy: 0 };
    return { loss: loss / steps, accuracy: accuracy / steps };
  }

  /** Scores the first `count` test images; lets others run in between. */
  async evaluate(count = this.#data.testLabels.length): Promise<Score> {
    const pass = new NetworkPass(this.#state.parameters);
    let loss = 0;
    let correct = 0;
    for (let image = 0; image < count; image++) {
      if (image % imagesPerTurn === 0) await setImmediate();
      pass.input.set(this.#data.testImages.subarray(image * pixelsPerImage, (image + 1) * pixelsPerImage));
      const judgement = pass.judge(this.#data.testLabels[image] ?? 0);
      loss += judgement.loss;
      if (judgement.correct) correct += 1;
    }
    return { loss: loss / count, accuracy: correct / count };
  }

  /** A copy of the whole state. */
  state(): TrainingState {
    return copyOf({ ...this.#state, random: this.#random.state });
  }

  #learnNextImage(): Judgement {
    const state = this.#state;
    if (state.offset === state.order.length) {
      this.#random.shuffle(state.order);
      state.offset = 0;
      state.epoch += 1;
    }
    const image = state.order[state.offset] ?? 0;
    state.offset += 1;
    this.#placeShifted(image);
    return this.#pass.learn(this.#data.trainLabels[image] ?? 0);
  }

  /** Moves the image by up to a pixel each way, so that no image is ever learnt by heart. */
  #placeShifted(image: number): void {
    const shift = (this.#random.below(3) - 1) * 28 + this.#random.below(3) - 1;
    const { trainPixels } = this.#data;
    const { input } = this.#pass;
    const start = image * pixelsPerImage - shift;
    for (let pixel = 0; pixel < pixelsPerImage; pixel++) {
      const source = pixel - shift;
      input[pixel] = source < 0 || source >= pixelsPerImage ? 0 : (trainPixels[start + pixel] ?? 0) / 255;
    }
  }

  /** Stochastic gradient descent with momentum. */
  #update(rate: number): void {
    const { parameters, velocity, hyperparameters } = this.#state;
    const { momentum } = hyperparameters;
    const gradients = this.#gradients;
    for (let i = 0; i < parameters.length; i++) {
      const speed = momentum * (velocity[i] ?? 0) - rate * (gradients[i] ?? 0);
      velocity[i] = speed;
      parameters[i] = (parameters[i] ?? 0) + speed;
      gradients[i] = 0;
    }
  }
}

interface Begin {
  hyperparameters: Hyperparameters;
  random: Random;
  step: number;
  parameters: Float32Array;
}

function copyOf(state: TrainingState): TrainingState {
  return {
    ...state,
    hyperparameters: { ...state.hyperparameters },
    window: { ...state.window },
    order: state.order.slice(),
    random: state.random.slice(),
    parameters: state.parameters.slice(),
    velocity: state.velocity.slice(),
  };
}
