/** Settings of a gateway of which a bench measures how fast it is, not what it refuses. */
export const unbounded = { REQUESTS_PER_SECOND: "1000000", CALL_SLACK_MS: "60000", SHED_DELAY_MS: "60000" };
