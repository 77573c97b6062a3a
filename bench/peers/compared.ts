import type { Figure } from "../harness/figure.ts";
import { interleaved, perSecond, round } from "../harness/rounds.ts";

/** Work of the same kind on both sides. */
export interface Comparison {
  readonly id: string;
  readonly name: string;
  /** Callers at once. */
  readonly callers: number;
  readonly ours: Side;
  readonly peer: Side & { readonly name: string };
  /** What one call stands for: points of a batch. Default: one call. */
  readonly unit?: { readonly name: string; readonly ofACall: number };
}

interface Side {
  /** Calls of a whole round: about as many as take the other side as long. */
  readonly calls: number;
  readonly call: (index: number) => Promise<unknown>;
}

/** Both sides in turns, after a tenth of a round of each: how many of the unit a second, and the peer as the floor. */
export async function compared(
  { id, name, callers, ours, peer, unit = { name: "calls", ofACall: 1 } }: Comparison,
  { rounds, share }: { rounds: number; share: number },
): Promise<Figure> {
  const turn =
    (side: Side, part = share) =>
    () =>
      round(Math.max(1, Math.ceil(side.calls * part)), callers, side.call);
  await interleaved(1, { ours: turn(ours, share / 10), peer: turn(peer, share / 10) });
  const measured = await interleaved(rounds, { ours: turn(ours), peer: turn(peer) });
  const rates = (all: typeof measured.ours) => all.map((one) => perSecond(one) * unit.ofACall);
  const floor = { name: peer.name, values: rates(measured.peer) };
  return { id, name, unit: `${unit.name}/s`, values: rates(measured.ours), floor };
}
