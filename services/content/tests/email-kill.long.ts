import { describeKilledSending } from "./killed-sending-steps.ts";

describeKilledSending(1_000, 20);
