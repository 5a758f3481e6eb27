import type { RecordShape } from './record-check.js';

/** The JSON Schema of an object with these members. */
export interface BodySchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

/** Converts the requirements of a validator to the schema of a body. */
export function bodySchema({ fields, required }: RecordShape): BodySchema {
  return { type: 'object', properties: Object.fromEntries(fields), ...(required.size > 0 && { required: [...required] }) };
}
