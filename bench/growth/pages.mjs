import { Decimal } from 'decimal.js';
import { buildResourceModel } from '../../dist/model/build-resource-model.js';
import { DEFAULT_LIMITS } from '../../dist/model/limits.js';
import { bodyWriterOf } from '../../dist/http/written-reply.js';
import { parseQuery } from '../../dist/rest/parse/parse-query.js';
import { createRestContext } from '../../dist/rest/plan/rest-contexts.js';
import { renderDocument } from '../../dist/rest/render/render-document.js';
import { requireOperation } from '../../dist/rpc/parse-rpc-call.js';
import { planRpcCall } from '../../dist/rpc/plan-rpc-call.js';
import { renderRpcResult } from '../../dist/rpc/render-rpc-result.js';

const scalar = (type) => ({ kind: 'scalar', type });
const FIELDS = {
  id: { kind: 'scalar', type: 'Int', default: { kind: 'function', name: 'autoincrement' } },
  title: scalar('String'),
  views: scalar('BigInt'),
  rating: scalar('Decimal'),
  createdAt: scalar('DateTime'),
  nextId: { ...scalar('Int'), optional: true },
};

/** So many models; each refers to the next. */
export function schemaOf(count) {
  const name = (index) => `Model${(index + count) % count}`;
  const link = (from) => `Link${(from + count) % count}`;
  const models = Array.from({ length: count }, (_, index) => {
    const next = {
      kind: 'relation',
      type: name(index + 1),
      relation: link(index),
      opposite: 'previous',
      optional: true,
      foreignKey: { fields: ['nextId'], references: ['id'] },
    };
    const previous = { kind: 'relation', type: name(index - 1), relation: link(index - 1), opposite: 'next', list: true };
    return [name(index), { fields: { ...FIELDS, next, previous }, primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] }];
  });
  return { version: 2, provider: 'postgresql', enums: {}, models: Object.fromEntries(models) };
}

const LIMITS = { ...DEFAULT_LIMITS, maxTake: 20_000, maxFilterTerms: 1000, maxJoins: 1000, maxIncludeDepth: 10 };
const SETTINGS = { endpoint: 'http://localhost/rest', pageSize: 100, maxPageSize: 20_000, strict: false, idDivider: '_', count: 'exact' };

/** Returns the arguments of parsers and planners, for so many models. */
export function worldOf(count) {
  const { model } = buildResourceModel(schemaOf(count), { resources: {} });
  return { model, context: createRestContext(model, SETTINGS, LIMITS), resource: model.byModel.get('Model0') };
}

export const { model, context, resource } = worldOf(10);

const rowOf = (id) => ({
  id,
  title: `The title of row ${id}`,
  views: BigInt(id),
  rating: new Decimal(id % 500).div(100),
  createdAt: new Date(1_767_225_600_000 + id * 61_003),
  nextId: id % 7 === 0 ? null : id + 1,
});
const rowsOf = (count) => Array.from({ length: count }, (_, index) => rowOf(index + 1));

/** Returns a function that writes a document of so many rows, which exist before. */
export function restPage(count) {
  const rows = rowsOf(count);
  const query = parseQuery({ kind: 'collection', resource }, `page[limit]=${count}`, context);
  return () => renderDocument(query, { rows, total: 20_000 }, context)(Infinity);
}

/** Returns a function that writes a result of so many rows, which exist before. */
export function rpcPage(count) {
  const result = rowsOf(count);
  const call = { resource, operation: requireOperation('findMany'), args: { take: count } };
  const { query } = planRpcCall(call, LIMITS, model.storage);
  return () => bodyWriterOf(renderRpcResult(call, { query, result }, { bytes: 'base64' }))(Infinity);
}
