/** The organisations of the demo: the one to play with, and one that must not see it. */
export const demoOrganisations = ["demo", "foreign"] as const;

/** One of them. */
export type DemoOrganisationName = (typeof demoOrganisations)[number];
