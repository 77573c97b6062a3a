import { join } from "node:path";
import { type PythonTest, runPytest, sdkPython } from "../python-sdk/sdk-python.ts";

const folder = import.meta.dirname;

/** The trainers that pass the suite. */
export const languages = ["Python", "TypeScript"] as const;

/** The command of a trainer's driver. */
async function driverOf(language: (typeof languages)[number]): Promise<string> {
  if (language === "TypeScript") return `"${process.execPath}" "${join(folder, "drivers", "driver.ts")}"`;
  const { python } = await sdkPython();
  return `"${python}" "${join(folder, "drivers", "driver.py")}"`;
}

/** What the situations of the trainer protocol show of a trainer. `args` are further ones of pytest. */
export async function conformanceOf(
  language: (typeof languages)[number],
  args: readonly string[] = [],
): Promise<PythonTest[]> {
  return runPytest(["--driver", await driverOf(language), ...args], sdkPython(), folder);
}
