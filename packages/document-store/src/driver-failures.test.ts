import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { MongoError, MongoServerError } from "mongodb";
import { describe, expect, it } from "vitest";
import { failureOfClass, failureOfCode, unavailableSystemCodes } from "./driver-failures.ts";
import { DuplicateKeyError, StoreUnavailableError, translated } from "./errors.ts";

type ErrorClass = abstract new (...args: readonly unknown[]) => MongoError;

const require = createRequire(import.meta.url);

/** Every class of errors in the driver, those that it does not export included. */
function driverClasses(): ErrorClass[] {
  const root = dirname(require.resolve("mongodb"));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const found = files.flatMap((file): unknown[] => Object.values(require(join(root, file))));
  return [...new Set(found.filter(isErrorClass))];
}

function isErrorClass(value: unknown): value is ErrorClass {
  return typeof value === "function" && (value === MongoError || value.prototype instanceof MongoError);
}

/** Constructors take what the driver gives them; one of these fits each. */
const givings = [
  ["text"],
  ["text", {}],
  [[], { cause: new Error("cause") }],
  [{ cause: new Error("cause") }],
  [{ message: "text" }, { cause: new Error("cause") }],
  [{ message: "text", writeConcernError: {}, result: {} }],
];

function instanceOf(errorClass: ErrorClass): MongoError {
  for (const given of givings) {
    try {
      return Reflect.construct(errorClass, given);
    } catch {
      // The next fits.
    }
  }
  throw new Error(`say in this test how ${errorClass.name} is constructed`);
}

const failureOf = (error: unknown) => translated(() => Promise.reject(error)).catch((failure: unknown) => failure);

/** What Node throws at a write to a connection that the server has ended. */
async function writeAfterEnd(): Promise<unknown> {
  const server = createServer((socket) => void socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Object(server.address());
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  await once(socket.resume(), "end");
  const failure = await new Promise((failed) => socket.write("late", failed));
  server.close();
  return failure;
}

const systemError = (code: string) => Object.assign(new Error(`write ${code}`), { code });

describe("a failure of the driver", () => {
  const names = driverClasses().map((errorClass) => instanceOf(errorClass).name);

  it("is of a class that the table knows, and the table knows no other", () => {
    expect(Object.keys(failureOfClass).sort()).toEqual([...new Set(names)].sort());
  });

  it("that is Node's own, of a connection that the server has ended, is an outage", async () => {
    expect(await failureOf(await writeAfterEnd())).toBeInstanceOf(StoreUnavailableError);
  });

  it.each(driverClasses().map((errorClass) => [instanceOf(errorClass).name, instanceOf(errorClass)] as const))(
    "%s becomes what the table says",
    async (name, error) => {
      const isUnavailable = (await failureOf(error)) instanceof StoreUnavailableError;
      const expected = failureOfClass[name] === "unavailable" || error.name === "MongoBulkWriteError";
      expect(isUnavailable).toBe(expected);
    },
  );

  it.each([...failureOfCode.keys()])("with the server's code %i may be repeated", async (code) => {
    expect(await failureOf(new MongoServerError({ message: "text", code }))).toBeInstanceOf(StoreUnavailableError);
  });

  it("with a code that says that the call is wrong stays what it is", async () => {
    const error = new MongoServerError({ message: "unknown operator", code: 2 });
    expect(await failureOf(error)).toBe(error);
  });

  it("that is a duplicate key is no outage, whatever its labels say", async () => {
    const error = new MongoServerError({ message: "x", code: 11000, errorLabels: ["RetryableWriteError"] });
    expect(await failureOf(error)).toBeInstanceOf(DuplicateKeyError);
  });

  it("that the server calls repeatable is so whatever its code", async () => {
    const error = new MongoServerError({ message: "x", code: 99_999, errorLabels: ["TransientTransactionError"] });
    expect(await failureOf(error)).toBeInstanceOf(StoreUnavailableError);
  });
});

describe("a failure of a socket that the driver lets through", () => {
  it.each([...unavailableSystemCodes])("%s is an outage, not an internal error", async (code) => {
    const error = systemError(code);
    expect(await failureOf(error)).toMatchObject({ name: "StoreUnavailableError", cause: error });
  });

  it("of another kind stays what it is", async () => {
    const error = systemError("ENOENT");
    expect(await failureOf(error)).toBe(error);
  });
});
