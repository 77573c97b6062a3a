import { describeKilledSending } from "./killed-sending-steps.ts";

describeKilledSending(300, 6);
