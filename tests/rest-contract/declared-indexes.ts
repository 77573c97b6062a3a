import { contentIndexes } from "../../services/content/src/stores.ts";
import { dataIndexes } from "../../services/data/src/stores.ts";
import { deploymentsIndexes } from "../../services/deployments/src/stores.ts";
import { identityIndexes } from "../../services/identity/src/stores.ts";
import { trainingIndexes } from "../../services/training/src/stores.ts";

/** What each service declares of its database. */
export const declaredIndexes = {
  identity: identityIndexes,
  training: trainingIndexes,
  content: contentIndexes,
  deployments: deploymentsIndexes,
  data: dataIndexes,
};
