/** What can be contradictory about a contract. */
export const contractFaults = [
  "unknown_field",
  "unbound_field",
  "equal_routes",
  "path_type",
  "bad_path",
  "bad_rule",
  "bad_status",
  "unsupported_type",
  "unsupported_stream",
  "bad_event_id",
  "bad_cursor",
  "bad_rendered_body",
  "bad_list",
  "bad_area",
] as const;

export type ContractFault = (typeof contractFaults)[number];

/** The contract contradicts itself or asks for what cannot be done; thrown when a transcoder is made, never later. */
export class ContractError extends Error {
  override name = "ContractError";
  readonly fault: ContractFault;
  /** Full name of the RPC or field. */
  readonly element: string;
  constructor(fault: ContractFault, element: string, reason: string) {
    super(`${element}: ${reason}`);
    this.fault = fault;
    this.element = element;
  }
}
