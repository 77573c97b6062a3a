import { platformctl } from "@aiplatform/cli";

export interface Settings {
  env: Record<string, string>;
  isTerminal?: boolean;
  /** What standard input holds. */
  piped?: string;
  /** What a user at a terminal answers. */
  typed?: string;
}

/** Runs the program in this process. */
export async function runPlatformctl(args: string[], { env, isTerminal = false, piped = "", typed }: Settings) {
  let [out, err] = ["", ""];
  const code = await platformctl({
    arguments: args,
    env,
    stdout: (output) => {
      out += typeof output === "string" ? output : Buffer.from(output).toString();
    },
    stderr: (text) => {
      err += text;
    },
    isTerminal,
    stdin: {
      isTerminal: typed !== undefined,
      read: async () => piped,
      ask: async (question) => {
        err += question;
        return typed ?? "";
      },
    },
  });
  return { code, out, err };
}
