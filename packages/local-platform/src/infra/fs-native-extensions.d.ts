/** The part of `fs-native-extensions` (which ships no declarations) that we use. */
declare module "fs-native-extensions" {
  /** Locks the file for this descriptor, without waiting. Returns false when another descriptor holds the lock. */
  export function tryLock(fd: number): boolean;
}
