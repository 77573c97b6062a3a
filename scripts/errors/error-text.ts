/** What a code means and what its receiver does. */
export interface ErrorText {
  readonly meaning: string;
  readonly remedy: string;
  /** The gRPC code and the raising service of a reason that is put together at run time, so that no literal in the sources shows them. */
  readonly raised?: { readonly grpc: string; readonly by: string };
}

// Remedies of several codes.
export const retry = "Wait as `Retry-After` says, then send the request again.";
export const newCredential = "Send a valid credential.";
export const askForPermission = "Ask an administrator for a role, or use an API key, that has the permission.";
export const anotherId = "Check the id and the organisation of your credential.";
export const operator = "Send it again later. Tell the operator if it stays.";
export const deleteSome = "Delete what you no longer need.";
