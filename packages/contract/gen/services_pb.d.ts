// @generated from the services of proto/aiplatform; never edited.

import type { DescService } from "@bufbuild/protobuf";

/** Every service of the contract. */
export declare const services: readonly DescService[];
