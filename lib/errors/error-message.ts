import { inspect } from 'node:util';
import { driverErrorOf } from './driver-error.js';
import { isError } from './is-error.js';
import { memberOf } from './member-of.js';

/** The description of a thrown value for the log. */
export interface ErrorDescription {
  /** One line with the messages of the error and its causes. */
  readonly summary: string;
  /** Stacks, causes and further members. Undefined if the summary is complete. */
  readonly details: string | undefined;
}

/** Describes a thrown value for the log. It accepts strings, plain objects, errors of another realm, and members that throw. */
export function errorMessage(thrown: unknown): ErrorDescription {
  const details = typeof thrown === 'object' && thrown !== null ? inspected(thrown, DETAILS) : undefined;
  return { summary: chainOf(thrown).map(oneLine).join(' ← '), details };
}

/** Maximum length of a summary. The details contain the full text. */
const MAX_SUMMARY = 2000;

/** Maximum number of causes, because an error may be its own cause. */
const MAX_CAUSES = 5;

const DETAILS = { depth: 5, maxArrayLength: 50, maxStringLength: 20_000 } as const;
const SUMMARY = { depth: 3, maxArrayLength: 10, maxStringLength: MAX_SUMMARY, breakLength: Infinity } as const;

function chainOf(thrown: unknown): readonly unknown[] {
  const chain = [thrown];
  for (let cause = causeOf(thrown); cause !== undefined && chain.length < MAX_CAUSES; cause = causeOf(cause)) {
    if (chain.includes(cause)) break;
    chain.push(cause);
  }
  return chain;
}

function causeOf(thrown: unknown): unknown {
  return isError(thrown) ? attempt(() => memberOf(thrown, 'cause') ?? driverMessage(thrown)) : undefined;
}

/** Returns the database's message, which the message of Prisma 7 does not include. */
function driverMessage(error: Error): unknown {
  return memberOf(driverErrorOf(error), 'originalMessage');
}

function oneLine(thrown: unknown): string {
  const text = isError(thrown) ? messageOf(thrown) : typeof thrown === 'string' ? thrown : inspected(thrown, SUMMARY);
  const line = text.trim().replace(/\s*[\r\n]+\s*/g, ' ');
  return line.length > MAX_SUMMARY ? `${line.slice(0, MAX_SUMMARY)}…` : line;
}

function messageOf(error: Error): string {
  const message = attempt(() => memberOf(error, 'message'));
  if (typeof message === 'string' && message.trim() !== '') return message;
  const name = attempt(() => memberOf(error, 'name'));
  return typeof name === 'string' ? name : 'Error';
}

function inspected(thrown: unknown, options: typeof DETAILS | typeof SUMMARY): string {
  return attempt(() => inspect(thrown, options)) ?? Object.prototype.toString.call(thrown);
}

/** Reads a member; undefined if a getter or a proxy throws. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
