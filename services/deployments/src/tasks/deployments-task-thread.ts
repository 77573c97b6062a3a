import { serveTasks } from "@aiplatform/worker-pool/thread";
import { deploymentsTasks } from "./tasks.ts";

serveTasks(deploymentsTasks);
