import {
  HeartbeatSource as HeartbeatSourceMessage,
  LifecyclePhase,
  PhaseStatus as PhaseStatusMessage,
  type ReportRequest,
  ReportRequestSchema,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type HeartbeatSource,
  type PhaseName,
  type PhaseStatus,
  type Report,
  type ReportedColumn,
  sensibleMs,
} from "./report.ts";

/**
 * A batch is stored as the bytes of its `ReportRequest`, so that any protobuf tool reads it. The columns are written and
 * read here rather than by the general codec: values are copied as one block, which is what makes a rebuild fast.
 */
const fields = { columns: 6, name: 1, steps: 2, values: 3, observedAtMs: 4, agesMs: 5 };

/** The message as bytes. */
export function encodeReport(request: ReportRequest): Uint8Array {
  const writer = new BinaryWriter();
  writer.raw(toBinary(ReportRequestSchema, { ...request, columns: [] }));
  for (const { name, steps, values, observedAtMs, agesMs } of request.columns) {
    writer.tag(fields.columns, WireType.LengthDelimited).fork();
    writer.tag(fields.name, WireType.LengthDelimited).string(name);
    writer.tag(fields.steps, WireType.LengthDelimited).bytes(varints(steps));
    writer.tag(fields.values, WireType.LengthDelimited).bytes(new Uint8Array(Float64Array.from(values).buffer));
    writer.tag(fields.observedAtMs, WireType.Bit64).double(observedAtMs);
    if (agesMs.length > 0) writer.tag(fields.agesMs, WireType.LengthDelimited).bytes(varints(agesMs));
    writer.join();
  }
  return writer.finish();
}

/** The batch of bytes that {@link encodeReport} made. */
export function decodeReport(bytes: Uint8Array): Report {
  const reader = new BinaryReader(bytes);
  const columns: ReportedColumn[] = [];
  let columnsFrom = bytes.length;
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [field, wireType] = reader.tag();
    if (field === fields.columns) {
      columnsFrom = Math.min(columnsFrom, start);
      columns.push(decodeColumn(reader.bytes()));
    } else reader.skip(wireType, field);
  }
  return reportOf(fromBinary(ReportRequestSchema, bytes.subarray(0, columnsFrom)), columns);
}

/** The message as the fold takes it. */
export function reportOf(request: ReportRequest, columns: readonly ReportedColumn[] = request.columns): Report {
  const log = request.logs.at(-1);
  const { heartbeat, resources } = request;
  return {
    columns,
    phases: request.phases.map(({ phase, status, at }) => ({
      phase: phaseNames[phase],
      status: phaseStatuses[status],
      at: msOf(at),
    })),
    latestLog: log && { message: log.message, source: log.source, at: msOf(log.timestamp) },
    heartbeat: heartbeat && { at: msOf(heartbeat.at), source: heartbeatSources[heartbeat.source] },
    resources: resources && {
      devices: resources.devices,
      deviceMemory: resources.deviceMemory,
      cpu: resources.cpu,
      memory: resources.memory,
      at: msOf(resources.observedAt),
    },
  };
}

const phaseNames: Record<LifecyclePhase, PhaseName> = {
  [LifecyclePhase.UNSPECIFIED]: "queued",
  [LifecyclePhase.QUEUED]: "queued",
  [LifecyclePhase.PREPARING]: "preparing",
  [LifecyclePhase.TRAINING]: "training",
  [LifecyclePhase.EVALUATING]: "evaluating",
  [LifecyclePhase.CHECKPOINTING]: "checkpointing",
  [LifecyclePhase.FINALIZING]: "finalizing",
};

const phaseStatuses: Record<PhaseStatusMessage, PhaseStatus> = {
  [PhaseStatusMessage.UNSPECIFIED]: "pending",
  [PhaseStatusMessage.PENDING]: "pending",
  [PhaseStatusMessage.RUNNING]: "running",
  [PhaseStatusMessage.PAUSED]: "paused",
  [PhaseStatusMessage.COMPLETED]: "completed",
  [PhaseStatusMessage.FAILED]: "failed",
  [PhaseStatusMessage.SKIPPED]: "skipped",
};

const heartbeatSources: Record<HeartbeatSourceMessage, HeartbeatSource> = {
  [HeartbeatSourceMessage.UNSPECIFIED]: "trainer",
  [HeartbeatSourceMessage.TRAINER]: "trainer",
  [HeartbeatSourceMessage.RUNNER]: "runner",
  [HeartbeatSourceMessage.SCHEDULER]: "scheduler",
};

function msOf(timestamp: Timestamp | undefined): number | undefined {
  return timestamp && sensibleMs(timestampMs(timestamp));
}

function varints(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(numbers.length * 5);
  let size = 0;
  for (let rest of numbers) {
    for (; rest > 0x7f; rest >>>= 7) bytes[size++] = (rest & 0x7f) | 0x80;
    bytes[size++] = rest;
  }
  return bytes.subarray(0, size);
}

function decodeColumn(bytes: Uint8Array): ReportedColumn {
  const reader = new BinaryReader(bytes);
  const column: ReportedColumn = { name: "", steps: [], values: [], observedAtMs: 0 };
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === fields.name) column.name = reader.string();
    else if (field === fields.steps) column.steps = decodeVarints(reader.bytes());
    else if (field === fields.values) column.values = decodeDoubles(reader.bytes());
    else if (field === fields.observedAtMs) column.observedAtMs = reader.double();
    else if (field === fields.agesMs) column.agesMs = decodeVarints(reader.bytes());
    else reader.skip(wireType, field);
  }
  return column;
}

/** Copied as one block: the bytes lie anywhere in a buffer that others share. */
function decodeDoubles({ buffer, byteOffset, byteLength }: Uint8Array): Float64Array {
  return new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

function decodeVarints(bytes: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(bytes.length);
  let size = 0;
  let number = 0;
  let shift = 0;
  for (const byte of bytes) {
    number |= (byte & 0x7f) << shift;
    if (byte > 0x7f) shift += 7;
    else {
      numbers[size++] = number;
      number = shift = 0;
    }
  }
  return numbers.subarray(0, size);
}
