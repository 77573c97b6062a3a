/** `typ` of a signed caller context, so that no other token of the same key can pass for one (RFC 8725, 3.11). */
export const contextType = "caller-context+jwt";
/** `iss` of a signed caller context. */
export const contextIssuer = "aiplatform-identity";
/** `aud` of a signed caller context: only the mesh. */
export const contextAudience = "aiplatform-mesh";
/** Longest life of a caller context, in seconds; also what bounds a missed revocation event. */
export const contextLifetimeSeconds = 60;

/** Whom identity vouches to outside the mesh, and the `typ` of what it signs for them. */
export const outsideTypes = { notebooks: "notebook-identity+jwt" } as const;
export type OutsideAudience = keyof typeof outsideTypes;
