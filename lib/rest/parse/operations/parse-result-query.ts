import type { Resource } from '../../../model/surface/surface.js';
import { parseFields } from '../parse-fields.js';
import { parseParameters } from '../parse-parameters.js';
import { requireNone, requireSingle } from '../parse-query.js';
import type { SingleQuery } from '../resource-query.js';
import type { RestContext } from '../rest-context.js';

/**
 * Reads the query string of operations: `fields[TYPE]` alone, which shapes their results (AO-35).
 *
 * @returns how a result shows a resource: of one that is closed to readers its identity alone
 * @throws ApiError with `source.parameter`
 */
export function parseResultQuery(search: string, context: RestContext): (resource: Resource) => SingleQuery {
  const { all: parameters, families, problems } = parseParameters(search, ['fields'], context.limits);
  requireNone(problems);
  if (context.settings.strict) requireSingle(families);
  const view = { include: new Map(), fields: parseFields(families, context) };
  return (resource) => ({
    kind: 'single',
    target: { kind: 'resource', resource },
    resource,
    projection: resource.actions.has('read') ? context.projections.of(resource, view) : context.projections.bareOf(resource),
    compound: false,
    hasCursors: false,
    parameters,
  });
}
