import type { KeyedWrites } from '../model/surface/surface.js';
import type { Components } from './components.js';
import type { DescribedStyle } from './described-api.js';
import { type ErrorStyle, errorResponses } from './error-responses.js';
import type { Operation, Parameter } from './open-api.js';

/** The style, and the objects that build its part of the document. */
export interface StyleDocument<Settings = unknown> {
  readonly style: DescribedStyle<Settings>;
  readonly components: Components;
  readonly errors: ErrorStyle;
}

/**
 * Adds the header `Idempotency-Key` to an operation that writes, if the API stores idempotency keys.
 *
 * @param write what the operation does: actions of a model, or the name of an action of the application. A batch has no model and may do anything
 */
export function withIdempotencyKey(
  operation: Operation,
  { model, actions }: { readonly model?: string; readonly actions: readonly string[] },
  { style, components, errors }: StyleDocument,
): Operation {
  const { idempotency } = style.surface;
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

/** Formats a duration in the largest unit that divides it. */
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
