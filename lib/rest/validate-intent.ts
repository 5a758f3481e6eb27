import type { Problem } from '../errors/api-error.js';
import type { Resource } from '../model/surface/surface.js';
import { checkRecords } from '../validation/check-records.js';
import type { Fault, RecordAction, RecordChecks, RecordValues, CheckedRecord } from '../validation/record-check.js';
import { memberPointer } from './parse/body-error.js';
import { type AttributeValue, type ResourceContent, type ResourceIntent, upsertChanges } from './parse/write-intent.js';

/**
 * Validates the attributes of a resource document with the validators of the application. An upsert runs both validators: `create` on the new record,
 * and `update` on the changes of an existing one.
 *
 * @returns the same intent with the accepted values
 * @throws ApiError `validation-error`, one problem with a pointer for each fault
 */
export async function validateIntent(intent: ResourceIntent, checks: RecordChecks): Promise<ResourceIntent> {
  if (!checks.has(intent.resource.model)) return intent;
  const records = writtenRecords(intent);
  const accepted = await checkRecords(records, checks, toProblem);
  const [content = intent.content, changes] = records.map((record, index) => contentOf(record, accepted[index] ?? {}));
  return intent.kind === 'upsert' && changes ? { ...intent, content, changes } : { ...intent, content };
}

interface WrittenDocument extends CheckedRecord {
  readonly content: ResourceContent;
}

function writtenRecords(intent: ResourceIntent): readonly WrittenDocument[] {
  const { resource, content } = intent;
  switch (intent.kind) {
    case 'create':
    case 'update':
      return [writtenDocument(resource, intent.kind, content)];
    case 'upsert':
      return [writtenDocument(resource, 'create', content), writtenDocument(resource, 'update', upsertChanges(intent, content))];
  }
}

function writtenDocument(resource: Resource, action: RecordAction, content: ResourceContent): WrittenDocument {
  return {
    resource,
    action,
    content,
    values: Object.fromEntries(content.attributes.map(({ attribute, value }) => [attribute.name, value])),
  };
}

/** Returns the accepted values with their pointers. A value that a validator added points at the attributes as a whole. */
function contentOf({ resource, content: { attributes, linkages } }: WrittenDocument, values: RecordValues): ResourceContent {
  const pointers = new Map(attributes.map(({ attribute, pointer }) => [attribute.name, pointer]));
  const accepted = Object.entries(values).flatMap(([name, value]): AttributeValue[] => {
    const attribute = resource.fields.get(name);
    return attribute?.kind === 'attribute' ? [{ attribute, value, pointer: pointers.get(name) ?? ATTRIBUTES }] : [];
  });
  return { attributes: accepted, linkages };
}

function toProblem({ path, message }: Fault, record: WrittenDocument): Problem {
  return { code: 'validation-error', detail: message, source: { pointer: valuePointer(path, record.content) } };
}

/** The pointer of the attributes in a body. */
const ATTRIBUTES = '/data/attributes';

/**
 * Returns the pointer to a value of a resource document: the deepest existing place of a path. A missing member has the pointer of its parent
 * (JSON:API 1.1, error objects).
 *
 * @param path the field by Prisma's name, then the keys inside its value; empty for the record as a whole
 */
export function valuePointer([name, ...inside]: readonly (string | number)[], { attributes }: ResourceContent): string {
  const given = attributes.find(({ attribute }) => attribute.name === name);
  if (!given) return attributes.some(({ pointer }) => pointer.startsWith(`${ATTRIBUTES}/`)) ? ATTRIBUTES : '/data';
  let { pointer, value } = given;
  for (const key of inside) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) break;
    pointer = memberPointer(pointer, key);
    value = Reflect.get(value, key);
  }
  return pointer;
}
