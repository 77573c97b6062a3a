import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { event } from "@aiplatform/contract/aiplatform/events/v1/event";
import { events } from "@aiplatform/contract/events";
import { type DescMessage, type DescMethod, type DescService, getOption, hasOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";

/** The audit log could not tell of an RPC's effect, or would have to tell of one that has none. */
export class EffectUndeclaredError extends Error {
  override name = "EffectUndeclaredError";
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(`what the audit log keeps (aiplatform.access.v1.access) is not declared: ${mistakes.join("; ")}`);
    this.mistakes = mistakes;
  }
}

/** Whether calling the RPC changes something, as the contract says. */
function hasEffect(method: DescMethod): boolean {
  return method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

/**
 * Start-up check: an RPC with an effect names the audited events that tell of it, or says why there are none; an RPC
 * without names nothing. What says nothing about access is not judged here. `declared`: the messages that are announced.
 * @throws EffectUndeclaredError naming every RPC that does otherwise.
 */
export function assertEffectsDeclared(
  services: readonly DescService[],
  declared: readonly DescMessage[] = events,
): void {
  const audited = new Set(auditedEvents(declared).map(({ typeName }) => typeName));
  const mistakes = services
    .flatMap((service) => service.methods)
    .filter((method) => hasOption(method, access))
    .flatMap((method) => mistakesOf(method, audited).map((is) => `${method.parent.typeName}/${method.name} ${is}`));
  if (mistakes.length > 0) throw new EffectUndeclaredError(mistakes);
}

/** The events of the contract of which the audit log keeps a record each. */
export function auditedEvents(declared: readonly DescMessage[] = events): DescMessage[] {
  return declared.filter(isAudited);
}

function mistakesOf(method: DescMethod, audited: ReadonlySet<string>): string[] {
  const { recordedAs, unrecorded } = getOption(method, access);
  const silent = recordedAs.length === 0 && unrecorded === "";
  if (!hasEffect(method)) return silent ? [] : ["has no effect that could be recorded"];
  if (silent) return ["names neither the events that tell of its effect nor why there are none"];
  if (recordedAs.length > 0 && unrecorded !== "") return ["says both how its effect is recorded and why it is not"];
  return recordedAs
    .filter((name) => !audited.has(name))
    .map((name) => `is recorded as ${name}, which is no audited event`);
}

function isAudited(message: DescMessage): boolean {
  return hasOption(message, event) && getOption(message, event).audited;
}
