import { ContentRig } from "./content-rig.ts";
import { ModelServer } from "./model-server.ts";

/** Two replicas of content that try again soon, over a fake language model. */
export class AutomationRig implements AsyncDisposable {
  readonly model: ModelServer;
  readonly content: ContentRig;

  private constructor(model: ModelServer, content: ContentRig) {
    this.model = model;
    this.content = content;
  }

  static async start(): Promise<AutomationRig> {
    const model = await ModelServer.start();
    const api = { ...model.settings, PROMPT_MODEL: "usual", PROMPT_API_KEY: "key-of-the-tests" };
    const settings = { ...api, AUTOMATION_RETRY_MS: "10", AUTOMATION_LEASE_MS: "3000" };
    return new AutomationRig(model, await ContentRig.start({ replicas: 2, settings }));
  }

  /** What the model was asked with this text. */
  asked(text: string): ModelServer["asked"] {
    return this.model.asked.filter((prompt) => prompt.text === text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.content[Symbol.asyncDispose]();
    await this.model[Symbol.asyncDispose]();
  }
}
