import type { Row } from '../../query/result.js';
import type { Annotation, Serialization } from '../../wire/serialization.js';
import { ATOMIC_EXTENSION } from '../media-type.js';
import type { SingleQuery } from '../parse/resource-query.js';
import type { RestContext } from '../parse/rest-context.js';
import { DocumentWriter } from './document-writer.js';
import type { ResourceObject } from './document.js';

/** What an operation has come to, and how its result shows it; without either its result shows nothing. */
export interface OperationResult {
  readonly query?: SingleQuery | undefined;
  readonly row: Row;
}

/** The document of operations that succeeded: one result each, in their order (AO-08). */
interface OperationsDocument {
  readonly 'jsonapi': { readonly version: '1.1'; readonly ext: readonly [typeof ATOMIC_EXTENSION] };
  readonly 'atomic:results': readonly { readonly data?: ResourceObject }[];
  readonly 'meta'?: { readonly serialization: Serialization };
}

/** Renders results, each with its resource as it was right after its own operation (AO-34). */
export function renderOperations(results: readonly OperationResult[], context: RestContext): OperationsDocument {
  const values: Record<string, Annotation> = {};
  const rendered = results.map(({ query, row }, index) => {
    if (query?.projection.kind !== 'resource') return {};
    const writer = new DocumentWriter(context);
    const [data] = writer.writePrimary([row], query.projection, () => `atomic:results.${index}.data`);
    Object.assign(values, writer.serialization()?.values);
    return data ? { data } : {};
  });
  return {
    'jsonapi': { version: '1.1', ext: [ATOMIC_EXTENSION] },
    'atomic:results': rendered,
    ...(Object.keys(values).length > 0 && { meta: { serialization: { values } } }),
  };
}
