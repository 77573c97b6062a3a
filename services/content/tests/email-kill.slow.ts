import { describeKilledSending } from "./killed-sending-steps.ts";

describeKilledSending(100, 2);
