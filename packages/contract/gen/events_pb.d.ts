// @generated from the events of proto/aiplatform; never edited.

import type { DescMessage } from "@bufbuild/protobuf";

/** Every message that services announce. */
export declare const events: readonly DescMessage[];
