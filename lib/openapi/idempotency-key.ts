import type { KeyedWrites, Surface } from '../model/surface/surface.js';
import type { Components } from './components.js';
import { type ErrorStyle, errorResponses } from './error-responses.js';
import type { Operation, Parameter } from './open-api.js';

/** What documents of a style are made with. */
export interface KeyContext {
  readonly surface: Pick<Surface, 'idempotency'>;
  readonly components: Components;
  readonly errors: ErrorStyle;
}

/** What an operation does: actions of a model, or the name of one of the host's own. A batch is of no model, and may do anything. */
export interface DescribedWrite {
  readonly model?: string;
  readonly actions: readonly string[];
}

/** The same operation with the header that lets it be sent again, where it changes something and the API knows keys. */
export function withIdempotencyKey(
  operation: Operation,
  { model, actions }: DescribedWrite,
  { surface: { idempotency }, components, errors }: KeyContext,
): Operation {
  if (!idempotency || actions.every((action) => action === 'read')) return operation;
  const isRequired = model !== undefined && actions.some((action) => idempotency.isRequired(model, action));
  const parameter = components.parameter(isRequired ? 'RequiredIdempotencyKey' : 'IdempotencyKey', idempotency, () =>
    keyParameter(idempotency, isRequired),
  );
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), parameter],
    responses: { ...errorResponses(isRequired ? [400, 409, 422] : [409, 422], errors, components), ...operation.responses },
  };
}

function keyParameter({ ttl }: KeyedWrites, isRequired: boolean): Parameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    ...(isRequired && { required: true }),
    description:
      'A random text, the same for each attempt at one write: it is done once, and each attempt has the same answer, with `Idempotency-Replayed: true`. ' +
      `Answers are kept for ${durationOf(ttl)}.`,
    schema: { type: 'string', minLength: 1, maxLength: 257 },
    examples: { uuid: { value: '"8e03978e-40d5-43dd-bc93-6894a57f9324"' } },
  };
}

/** In the largest unit that counts it. */
function durationOf(milliseconds: number): string {
  const [name, unit] = UNITS.find(([, size]) => milliseconds % size === 0) ?? ['millisecond', 1];
  const count = milliseconds / unit;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;
