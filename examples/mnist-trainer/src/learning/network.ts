import type { Random } from "./random.ts";

/** Width of each layer: pixels, two hidden layers, ten digits. */
export const layerWidths: readonly number[] = [784, 128, 64, 10];

/** One fully connected layer; row `i` of the weights belongs to input `i`, so that inputs of zero cost nothing. */
export interface Layer {
  inputs: number;
  outputs: number;
  weights: Float32Array;
  biases: Float32Array;
}

/** Inputs and outputs of each layer. */
const layerSizes = layerWidths.slice(1).map((outputs, index) => [layerWidths[index] ?? 0, outputs] as const);

/** How many numbers all layers together hold. */
export function parameterCount(): number {
  return layerSizes.reduce((sum, [inputs, outputs]) => sum + (inputs + 1) * outputs, 0);
}

/** The layers as views into one flat array: what is saved, updated and sent around is the array. */
export function layersOf(parameters: Float32Array): Layer[] {
  let offset = 0;
  return layerSizes.map(([inputs, outputs]) => {
    const weights = parameters.subarray(offset, offset + inputs * outputs);
    const biases = parameters.subarray(offset + inputs * outputs, offset + (inputs + 1) * outputs);
    offset += (inputs + 1) * outputs;
    return { inputs, outputs, weights, biases };
  });
}

/** Uniform He initialisation; biases start at zero. */
export function initialParameters(random: Random): Float32Array {
  const parameters = new Float32Array(parameterCount());
  for (const { inputs, weights } of layersOf(parameters)) {
    const bound = Math.sqrt(6 / inputs);
    for (let i = 0; i < weights.length; i++) weights[i] = random.around(bound);
  }
  return parameters;
}

/** The loss of one image and whether the network names its digit. */
export interface Judgement {
  loss: number;
  correct: boolean;
}

/** Works through images one at a time; holds the scratch memory that takes. */
export class NetworkPass {
  readonly #layers: Layer[];
  readonly #gradients: Layer[] | undefined;
  /** Input of each layer, then the output of the last. */
  readonly #activations: Float32Array[];
  readonly #errors: Float32Array[];

  /** `gradients` has the parameters' layout and is added to; without it the pass can only judge. */
  constructor(parameters: Float32Array, gradients?: Float32Array) {
    this.#layers = layersOf(parameters);
    this.#gradients = gradients && layersOf(gradients);
    this.#activations = layerWidths.map((width) => new Float32Array(width));
    this.#errors = layerWidths.map((width) => new Float32Array(width));
  }

  /** Where the next image's grey values, 0 to 1, are to be written. */
  get input(): Float32Array {
    return this.#activations[0] ?? new Float32Array();
  }

  /** Loss and verdict for the image in `input`. */
  judge(label: number): Judgement {
    this.#layers.forEach((layer, index) => {
      forward(layer, this.#at(index), this.#at(index + 1));
      if (index < this.#layers.length - 1) rectify(this.#at(index + 1));
    });
    return softmax(this.#at(this.#layers.length), label);
  }

  /** Judges the image in `input` and adds its gradient. */
  learn(label: number): Judgement {
    const judgement = this.judge(label);
    const last = this.#layers.length;
    const errors = this.#errors[last] ?? new Float32Array();
    errors.set(this.#at(last));
    errors[label] = (errors[label] ?? 0) - 1;
    for (let index = last - 1; index >= 0; index--) this.#backward(index);
    return judgement;
  }

  #at(index: number): Float32Array {
    return this.#activations[index] ?? new Float32Array();
  }

  #backward(index: number): void {
    const layer = this.#layers[index];
    const gradient = this.#gradients?.[index];
    const outgoing = this.#errors[index + 1];
    const incoming = this.#errors[index];
    if (!layer || !gradient || !outgoing || !incoming) return;
    add(outgoing, gradient.biases);
    if (index === 0) spread(outgoing, this.#at(0), gradient);
    else backward({ layer, gradient, input: this.#at(index), outgoing, incoming });
  }
}

// The loops below are where the time goes. `?? 0` is never needed (all indices are in bounds) and costs nothing: the
// compiler of V8 drops it; an assertion would hide a real mistake.

function forward({ inputs, outputs, weights, biases }: Layer, input: Float32Array, output: Float32Array): void {
  output.set(biases);
  for (let i = 0; i < inputs; i++) {
    const value = input[i] ?? 0;
    if (value === 0) continue;
    const row = i * outputs;
    for (let o = 0; o < outputs; o++) output[o] = (output[o] ?? 0) + value * (weights[row + o] ?? 0);
  }
}

function rectify(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) if ((values[i] ?? 0) < 0) values[i] = 0;
}

function add(from: Float32Array, to: Float32Array): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + (from[i] ?? 0);
}

/** Turns scores into probabilities, in place. */
function softmax(scores: Float32Array, label: number): Judgement {
  let highest = 0;
  for (let o = 1; o < scores.length; o++) if ((scores[o] ?? 0) > (scores[highest] ?? 0)) highest = o;
  const top = scores[highest] ?? 0;
  const score = scores[label] ?? 0;
  let sum = 0;
  for (let o = 0; o < scores.length; o++) {
    const power = Math.exp((scores[o] ?? 0) - top);
    scores[o] = power;
    sum += power;
  }
  for (let o = 0; o < scores.length; o++) scores[o] = (scores[o] ?? 0) / sum;
  return { loss: Math.log(sum) + top - score, correct: highest === label };
}

/** The gradient of a layer whose inputs are the data: no error goes further back. */
function spread(outgoing: Float32Array, input: Float32Array, { inputs, outputs, weights }: Layer): void {
  for (let i = 0; i < inputs; i++) {
    const value = input[i] ?? 0;
    if (value === 0) continue;
    const row = i * outputs;
    for (let o = 0; o < outputs; o++) weights[row + o] = (weights[row + o] ?? 0) + value * (outgoing[o] ?? 0);
  }
}

interface BackwardStep {
  layer: Layer;
  gradient: Layer;
  input: Float32Array;
  outgoing: Float32Array;
  incoming: Float32Array;
}

/** A unit that the rectifier switched off has an input of zero: neither its weights nor its error move. */
function backward({ layer, gradient, input, outgoing, incoming }: BackwardStep): void {
  const { inputs, outputs, weights } = layer;
  for (let i = 0; i < inputs; i++) {
    const value = input[i] ?? 0;
    let error = 0;
    if (value !== 0) {
      const row = i * outputs;
      for (let o = 0; o < outputs; o++) {
        const part = outgoing[o] ?? 0;
        error += part * (weights[row + o] ?? 0);
        gradient.weights[row + o] = (gradient.weights[row + o] ?? 0) + value * part;
      }
    }
    incoming[i] = error;
  }
}
