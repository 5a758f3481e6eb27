import { buildResourceModel } from '../../dist/model/build-resource-model.js';
import { parseQuery } from '../../dist/rest/parse/parse-query.js';
import { planCollection } from '../../dist/rest/plan/plan-read.js';
import { PlanCompiler } from '../../dist/sql/plan-compiler.js';
import { context, model, resource, restPage, rpcPage, schemaOf, worldOf } from './pages.mjs';

const ROWS = [10, 100, 1000, 10_000];
const MODELS = [10, 30, 100, 300];

const compiler = new PlanCompiler(model.storage, 'public');
const read = (search) => compiler.compile(planCollection(parseQuery({ kind: 'collection', resource }, search, context), context).plan);

/** What is done once for each size: a function that does it, without HTTP and without a database. An exponent of `most` is too much. */
export const CURVES = [
  { name: 'rows of a REST page', sizes: ROWS, work: restPage, most: 1.5 },
  { name: 'rows of an RPC result', sizes: ROWS, work: rpcPage, most: 1.5 },
  { name: 'models, at boot', sizes: MODELS, work: (count) => () => buildResourceModel(schemaOf(count), { resources: {} }), most: 1.5 },
  {
    name: 'models, a query',
    sizes: MODELS,
    work: (count) => {
      const wide = worldOf(count);
      const target = { kind: 'collection', resource: wide.resource };
      return () => planCollection(parseQuery(target, 'page[limit]=20&filter[title]=a&include=next', wide.context), wide.context);
    },
    most: 0.5,
  },
  {
    // Against 1 + depth.
    name: 'depth of an include, 0 to 4',
    sizes: [1, 2, 3, 4, 5],
    work: (size) => {
      const path = Array.from({ length: size - 1 }, () => 'next').join('.');
      return () => read(`page[limit]=20${path === '' ? '' : `&include=${path}`}`);
    },
    most: 1.5,
  },
  {
    name: 'terms of a filter',
    sizes: [1, 10, 100],
    work: (count) => {
      const filter = Array.from({ length: count }, (_, index) => `filter[title][$contains]=text${index}`).join('&');
      return () => read(`page[limit]=20&${filter}`);
    },
    most: 1.5,
  },
];

/** µs of processor time of a call: the least of several measurements, each of which takes so many µs or more. */
export function costOf(run, time) {
  const began = process.cpuUsage();
  let calls = 0;
  while (spent(began) < time) {
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
export function exponentOf(sizes, costs) {
  const [xs, ys] = [sizes.map(Math.log), costs.map(Math.log)];
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  return xs.reduce((sum, one, index) => sum + (one - x) * (ys[index] - y), 0) / xs.reduce((sum, one) => sum + (one - x) ** 2, 0);
}
