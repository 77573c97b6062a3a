import type { IndexPlan, Migration } from "@aiplatform/document-store";
import { OrganisationLimitStore } from "@aiplatform/quotas";

/** The indexes of everything that the service keeps. */
export const dataIndexes: readonly IndexPlan[] = [OrganisationLimitStore.indexes];

/** How documents of earlier versions become those of this one. A row that was released stays as it is. */
export const dataMigrations: readonly Migration[] = [];
