import type { Problem } from '../errors/api-error.js';
import type { Resource } from '../model/surface/surface.js';
import { checkRecords } from '../validation/check-records.js';
import type { Fault, RecordAction, RecordChecks, RecordValues, WrittenRecord } from '../validation/record-check.js';
import { upsertChanges } from './parse/upsert-changes.js';
import type { AttributeValue, ResourceContent, ResourceIntent } from './parse/write-intent.js';
import { ATTRIBUTES, valuePointer } from './value-pointer.js';

/**
 * Shows the attributes of a resource document to the host's validators. An upsert is seen by both: as the record that it may create, and as
 * the changes to one that exists.
 *
 * @returns the same intent with the values that they accepted
 * @throws ApiError `validation-error`, one problem with a pointer for each fault
 */
export async function validateIntent(intent: ResourceIntent, checks: RecordChecks): Promise<ResourceIntent> {
  if (!checks.has(intent.resource.model)) return intent;
  const records = writtenRecords(intent);
  const accepted = await checkRecords(records, checks, toProblem);
  const [content = intent.content, changes] = records.map((record, index) => contentOf(record, accepted[index] ?? {}));
  return intent.kind === 'upsert' && changes ? { ...intent, content, changes } : { ...intent, content };
}

interface WrittenDocument extends WrittenRecord {
  readonly content: ResourceContent;
}

function writtenRecords(intent: ResourceIntent): readonly WrittenDocument[] {
  const { resource, content } = intent;
  switch (intent.kind) {
    case 'create':
    case 'update':
      return [writtenDocument(resource, intent.kind, content)];
    case 'upsert':
      return [writtenDocument(resource, 'create', content), writtenDocument(resource, 'update', upsertChanges(intent.match, content))];
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

/** The accepted values at their places; what a validator adds has none but the attributes as a whole. */
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
