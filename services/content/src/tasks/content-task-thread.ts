import { serveTasks } from "@aiplatform/worker-pool/thread";
import { contentTasks } from "./tasks.ts";

serveTasks(contentTasks);
