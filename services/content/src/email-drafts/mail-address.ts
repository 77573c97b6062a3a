import { domainToASCII } from "node:url";
import { oneLine } from "./templates.ts";

const dotAtom = /^[^\s\p{Cc}()<>[\]:;@\\,."]+(?:\.[^\s\p{Cc}()<>[\]:;@\\,."]+)*$/u;
/** Angle brackets would end the address in a command, even where they are quoted. */
const quoted = /^"(?:[^\p{Cc}"\\<>]|\\[\x20-\x7e])+"$/u;
const maxLocalPartLength = 64;
const maxDomainLength = 253;

/** An address as commands and headers of a mail can hold it, its domain in ASCII; undefined where it cannot be written. */
export function mailAddress(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = domainToASCII(text.slice(at + 1));
  if (local.length > maxLocalPartLength || /[<>]/.test(local)) return undefined;
  if (!dotAtom.test(local) && !quoted.test(local)) return undefined;
  if (domain === "" || domain.length > maxDomainLength || !/^[a-z0-9.-]+$/.test(domain)) return undefined;
  return `${local}@${domain}`;
}

/** Who a mail is from or to. */
export interface Mailbox {
  /** Empty: the address alone. */
  name: string;
  address: string;
}

/** `Name <address>` or an address. Undefined where it is neither. */
export function mailbox(text: string): Mailbox | undefined {
  const open = text.endsWith(">") ? text.lastIndexOf("<") : -1;
  const name = text.slice(0, Math.max(open, 0));
  const address = mailAddress(open === -1 ? text : text.slice(open + 1, -1));
  return address === undefined ? undefined : { name: oneLine(name), address };
}
