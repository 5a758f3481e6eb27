import type { OutgoingRequest } from '../../support/send-request.js';
import { fieldsOf, modelOf } from '../security/support/random-fields.js';

/** Whether a request adds or removes links. Because relations may have the names of verbs, the depth decides which a name is. */
export function hasLinks({ path, body = '{}' }: OutgoingRequest): boolean {
  if (path.startsWith('/api/rest')) return (path + body).includes('relationships');
  const [, , , delegate = '', op = ''] = path.split(/[/?]/);
  const value: unknown = JSON.parse(body);
  const calls = delegate === '$transaction' ? (value as readonly Call[]) : [{ model: delegate, op, args: value }];
  return calls.some(({ model, args }) => partsOf(args).some((data) => linksIn(modelOf(model), data)));
}

interface Call {
  readonly model: string;
  readonly op: string;
  readonly args?: unknown;
}

/** Returns the records of an argument or of the operand of a verb: itself, or its members. */
function partsOf(value: unknown): readonly object[] {
  const all = [value].flat().filter(isObject);
  return all.flatMap((one) => [one, ...PARTS.flatMap((part) => [Reflect.get(one, part)].flat().filter(isObject))]);
}

const PARTS = ['data', 'create', 'update'];
const LINKING = ['set', 'connect', 'disconnect'];
const WRITING = ['create', 'connectOrCreate', 'update', 'upsert'];

function linksIn(model: string, data: object): boolean {
  return fieldsOf(model, 'relation').some(({ name, field: { type } }) => {
    const verbs: unknown = Reflect.get(data, name);
    if (!isObject(verbs)) return false;
    if (LINKING.some((verb) => Object.hasOwn(verbs, verb))) return true;
    return WRITING.some((verb) => partsOf(Reflect.get(verbs, verb)).some((part) => linksIn(type, part)));
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
