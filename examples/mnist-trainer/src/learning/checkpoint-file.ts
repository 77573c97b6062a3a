import { createHash } from "node:crypto";
import { endianness } from "node:os";
import { type CheckpointCodec, CheckpointFileError, type CheckpointLabel } from "@aiplatform/trainer";
import { layerWidths } from "./network.ts";
import type { TrainingState } from "./training-state.ts";

const magic = "MNISTCK1";
const digestLength = 32;
const arrays = ["order", "random", "parameters", "velocity"] as const;

interface Header extends CheckpointLabel, Omit<TrainingState, (typeof arrays)[number]> {
  widths: readonly number[];
  /** Number of 4-byte elements of each array, in the order they follow. */
  lengths: Record<(typeof arrays)[number], number>;
}

/** The bytes of a checkpoint; README.md describes the format. */
export function encodeCheckpoint(label: CheckpointLabel, state: TrainingState): Uint8Array {
  assertLittleEndian();
  const { order, random, parameters, velocity, ...rest } = state;
  const lengths = {
    order: order.length,
    random: random.length,
    parameters: parameters.length,
    velocity: velocity.length,
  };
  const header = Buffer.from(JSON.stringify({ ...label, ...rest, widths: layerWidths, lengths } satisfies Header));
  const prefix = Buffer.alloc(magic.length + 4);
  prefix.write(magic, "latin1");
  prefix.writeUInt32LE(header.length, magic.length);
  const body = Buffer.concat([prefix, header, ...arrays.map((name) => bytesOf(state[name]))]);
  return Buffer.concat([body, createHash("sha256").update(body).digest()]);
}

/** @throws CheckpointFileError, naming `path`, when it is damaged or of another network */
export function decodeCheckpoint(path: string, bytes: Uint8Array): { label: CheckpointLabel; state: TrainingState } {
  assertLittleEndian();
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { header, start } = readHeader(path, file);
  if (JSON.stringify(header.widths) !== JSON.stringify(layerWidths)) {
    throw new CheckpointFileError(path, `is of a network ${header.widths.join("-")}, not ${layerWidths.join("-")}`);
  }
  let offset = start;
  const take = (name: (typeof arrays)[number]): ArrayBuffer => {
    const length = header.lengths[name] * 4;
    const copy = new Uint8Array(file.subarray(offset, offset + length)).buffer;
    offset += length;
    return copy;
  };
  const order = new Uint32Array(take("order"));
  const random = new Uint32Array(take("random"));
  const parameters = new Float32Array(take("parameters"));
  const velocity = new Float32Array(take("velocity"));
  const { id, segmentIndex, metrics, createdAt, hyperparameters, step, scheduleStart, epoch, window } = header;
  const position = { step, scheduleStart, epoch, offset: header.offset, window };
  return {
    label: { id, segmentIndex, metrics, createdAt },
    state: { hyperparameters, ...position, order, random, parameters, velocity },
  };
}

function readHeader(path: string, file: Buffer): { header: Header; start: number } {
  const minLength = magic.length + 4 + digestLength;
  if (file.length < minLength || file.toString("latin1", 0, magic.length) !== magic) {
    throw new CheckpointFileError(path, "is not a checkpoint of this trainer");
  }
  const body = file.subarray(0, -digestLength);
  if (!createHash("sha256").update(body).digest().equals(file.subarray(-digestLength))) {
    throw new CheckpointFileError(path, "is damaged: its checksum does not match its content");
  }
  const start = magic.length + 4 + file.readUInt32LE(magic.length);
  return { header: JSON.parse(file.toString("utf8", magic.length + 4, start)), start };
}

function bytesOf(array: Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function assertLittleEndian(): void {
  if (endianness() !== "LE") throw new Error("checkpoints are read and written on little-endian machines only");
}

export const mnistCodec: CheckpointCodec<TrainingState> = { encode: encodeCheckpoint, decode: decodeCheckpoint };
