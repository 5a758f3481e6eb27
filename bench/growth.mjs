/*
 * How the work of one request grows, without HTTP and without a database: µs of processor time, and the exponent of the power that fits them
 * (1 is linear). At the end, the memory of a page of 10,000 rows by the length of its body.
 *
 * npm run build && node --expose-gc bench/growth.mjs
 */
import { Decimal } from 'decimal.js';
import { buildResourceModel } from '../dist/model/build-resource-model.js';
import { DEFAULT_LIMITS } from '../dist/model/limits.js';
import { writtenBody } from '../dist/platform/written-reply.js';
import { parseQuery } from '../dist/rest/parse/parse-query.js';
import { createRestContext } from '../dist/rest/plan/plan-context.js';
import { planCollection } from '../dist/rest/plan/plan-read.js';
import { renderDocument } from '../dist/rest/render/render-document.js';
import { requireOperation } from '../dist/rpc/parse-rpc-call.js';
import { planRpcCall } from '../dist/rpc/plan-rpc-call.js';
import { renderRpcResult } from '../dist/rpc/render-rpc-result.js';
import { PlanCompiler } from '../dist/sql/compile-plan.js';

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
function schemaOf(count) {
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
const model = buildResourceModel(schemaOf(10), { resources: {} }).model;
const context = createRestContext(model, SETTINGS, LIMITS);
const resource = model.byModel.get('Model0');
const compiler = new PlanCompiler(model.storage, 'public');

const rowOf = (id) => ({
  id,
  title: `The title of row ${id}`,
  views: BigInt(id),
  rating: new Decimal(id % 500).div(100),
  createdAt: new Date(1_767_225_600_000 + id * 61_003),
  nextId: id % 7 === 0 ? null : id + 1,
});
const rowsOf = (count) => Array.from({ length: count }, (_, index) => rowOf(index + 1));

const read = (search) => {
  const query = parseQuery({ kind: 'collection', resource }, search, context);
  return { query, compiled: compiler.compile(planCollection(query, context)) };
};

function restPage(count) {
  const rows = rowsOf(count);
  const { query } = read(`page[limit]=${count}`);
  return () => renderDocument(query, { rows, total: 20_000 }, context).toBytes(Infinity);
}

function rpcPage(count) {
  const result = rowsOf(count);
  const call = { resource, operation: requireOperation('findMany'), args: { take: count } };
  const { args } = planRpcCall(call, LIMITS, model.storage).call;
  return () => writtenBody(renderRpcResult(call, { args, result }, { bytes: 'base64' })).toBytes(Infinity);
}

const CURVES = {
  'rows of a REST page': { sizes: [10, 100, 1000, 10_000], work: restPage },
  'rows of an RPC result': { sizes: [10, 100, 1000, 10_000], work: rpcPage },
  'models, at boot': { sizes: [10, 30, 100, 300], work: (count) => () => buildResourceModel(schemaOf(count), { resources: {} }) },
  'models, a query': {
    sizes: [10, 30, 100, 300],
    work: (count) => {
      const wide = buildResourceModel(schemaOf(count), { resources: {} }).model;
      const wideContext = createRestContext(wide, SETTINGS, LIMITS);
      const target = { kind: 'collection', resource: wide.byModel.get('Model0') };
      return () => planCollection(parseQuery(target, 'page[limit]=20&filter[title]=a&include=next', wideContext), wideContext);
    },
  },
  'depth of an include': {
    // Against 1 + depth.
    sizes: [1, 2, 3, 4, 5],
    work: (size) => {
      const path = Array.from({ length: size - 1 }, () => 'next').join('.');
      return () => read(`page[limit]=20${path === '' ? '' : `&include=${path}`}`);
    },
  },
  'terms of a filter': {
    sizes: [1, 10, 100],
    work: (count) => {
      const filter = Array.from({ length: count }, (_, index) => `filter[title][$contains]=text${index}`).join('&');
      return () => read(`page[limit]=20&${filter}`);
    },
  },
};

const TIME = 150_000;

/** µs of processor time of a call: the least of several measurements. */
function costOf(run) {
  const began = process.cpuUsage();
  let calls = 0;
  while (spent(began) < TIME) {
    run();
    calls += 1;
  }
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call++) run();
    return spent(before) / calls;
  });
  return Math.min(...times);
}

function spent(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The slope of the line through the logarithms. */
function exponentOf(sizes, costs) {
  const [xs, ys] = [sizes.map(Math.log), costs.map(Math.log)];
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  return xs.reduce((sum, one, index) => sum + (one - x) * (ys[index] - y), 0) / xs.reduce((sum, one) => sum + (one - x) ** 2, 0);
}

console.log('| what grows | sizes | µs | exponent |\n| --- | --- | --- | --- |');
for (const [name, { sizes, work }] of Object.entries(CURVES)) {
  const costs = sizes.map((size) => costOf(work(size)));
  const list = costs.map((cost) => cost.toFixed(cost < 10 ? 1 : 0)).join(' · ');
  console.log(`| ${name} | ${sizes.join(' · ')} | ${list} | ${exponentOf(sizes, costs).toFixed(2)} |`);
}

/** What the heap and its buffers hold more while a page is made, by the length of the page: the rows are there before. */
function memoryOf(make) {
  globalThis.gc?.();
  const held = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = held();
  const bytes = make();
  return { ratio: (held() - before) / bytes.byteLength, length: bytes.byteLength };
}

for (const [style, run] of Object.entries({ REST: restPage(10_000), RPC: rpcPage(10_000) })) {
  const { ratio, length } = memoryOf(run);
  console.log(
    `\n${style}, 10,000 rows: ${(length / 2 ** 20).toFixed(1)} MiB, and ${ratio.toFixed(1)} times as much memory while it is made.`,
  );
}
