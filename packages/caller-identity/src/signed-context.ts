/** `typ` of a signed caller context, so that no other token of the same key can pass for one (RFC 8725, 3.11). */
export const contextType = "caller-context+jwt";
/** `iss` of a signed caller context. */
export const contextIssuer = "aiplatform-identity";
/** `aud` of a caller context that every service believes: only while services that prove nothing of themselves still run. */
export const meshAudience = "aiplatform-mesh";
/** Longest life of a caller context, in seconds; also what bounds a missed revocation event. */
export const contextLifetimeSeconds = 60;
/** Seconds by which clocks on the mesh may differ. */
export const clockToleranceSeconds = 5;

/** Whom identity vouches to outside the mesh, and the `typ` of what it signs for them. */
export const outsideTypes = { notebooks: "notebook-identity+jwt" } as const;
export type OutsideAudience = keyof typeof outsideTypes;
