import type { INestApplication } from '@nestjs/common';
import { type HiddenField, isFieldOf, type ProbedField, subjectsOf } from './hidden-field.js';
import type { HiddenRow } from './hidden-row.js';
import { judgeAnswer } from './judge-answer.js';
import { faultOf, faultText, LeakError, type ProbeOutcome } from './leak.js';
import { type MountedApi, mountedApis } from '../module/mounted-apis.js';
import { asMcpProbes } from './mcp-probes.js';
import { type Answer, type Probe, probeSettings } from './probe.js';
import { probeRow } from './probe-row.js';
import { restProbes } from './rest-probes.js';
import { rpcProbes } from './rpc-probes.js';
import { mapConcurrently, openServer, sendProbe } from './send-probe.js';

/**
 * Proves over HTTP that callers cannot read or probe a field.
 *
 * It sends every filter with every operator, sort, include, fieldset, select, omit, cursor, distinct, aggregate, having, unique key and nested
 * condition. It covers all styles that are on, and batches, the model itself, and every model with a relation to it. Ordinary responses and error texts must not
 * contain the field. The probes are generated from the Prisma schema, so they cover fields and relations that you add later. For a relation or its
 * foreign key, the opposite relation is probed as well, because it reveals the same data.
 *
 * With `row`, it proves that a caller cannot distinguish a hidden record from one that does not exist. It probes keys, filters, relations and their
 * quantifiers, counts, aggregates, groups, orders, cursors, includes, linkage, connects, other writes, and error texts. Each request is sent for the
 * hidden record and for a key without a record, or with the record and without it. The responses must be equal.
 *
 * The application may be listening or not. Nothing is written: requests that could write name
 * records that do not exist, or are in a batch that must fail.
 *
 * @throws LeakError with every surface that accepts or reveals the field, or reveals the record
 * @throws Error if an ordinary request is refused, a request fails (5xx), or `reader` does not find the record: the other results prove nothing then
 * @throws TypeError if no module has the field or model, or `row` lacks a field of the id
 *
 * @example
 * it('hides the password hash', () => assertNoLeak(app, { model: 'User', field: 'passwordHash', values: ['$2b$10$abc'] }));
 */
export async function assertNoLeak(app: INestApplication, hidden: HiddenField | HiddenRow): Promise<void> {
  const server = await openServer(app);
  try {
    const outcomes = await probe(hidden, mountedApis(app), server.origin);
    const name = 'row' in hidden ? `${hidden.model} ${JSON.stringify(hidden.row)}` : `${hidden.model}.${hidden.field}`;
    const faults = outcomes.filter(({ isFault }) => isFault).map(({ surface, finding }) => ({ surface, finding }));
    const leaks = outcomes.filter(({ isFault }) => !isFault);
    if (leaks.length > 0) throw new LeakError(name, leaks, faults);
    if (faults.length > 0) throw new Error(faultText(name, faults));
  } finally {
    await server.close();
  }
}

async function probe(hidden: HiddenField | HiddenRow, apis: readonly MountedApi[], origin: string): Promise<readonly ProbeOutcome[]> {
  if (!('row' in hidden)) return (await Promise.all(apisWith(hidden, apis).map((api) => probeApi(api, hidden, origin)))).flat();
  const own = apis.filter(({ compiled }) => compiled.model.byModel.has(hidden.model));
  if (own.length === 0) throw new TypeError(`No API has the model '${hidden.model}'.`);
  return (await Promise.all(own.map((api) => probeRow(api, hidden, origin)))).flat();
}

/** Returns the modules whose schema has the field. Each module may have another schema. */
function apisWith(hidden: HiddenField, apis: readonly MountedApi[]): readonly MountedApi[] {
  const own = apis.filter(({ options }) => isFieldOf(hidden, options.schema));
  if (own.length > 0) return own;
  throw new TypeError(`The schema has no field '${hidden.model}.${hidden.field}'.`);
}

async function probeApi({ options, compiled, paths }: MountedApi, hidden: HiddenField, origin: string): Promise<readonly ProbeOutcome[]> {
  const { headers = {}, values = [] } = hidden;
  if (values.includes('')) throw new TypeError("One of 'values' is an empty text, which every answer holds.");
  const subjects = subjectsOf(hidden, { schema: options.schema, model: compiled.model, resources: options.resources ?? {} });
  const settings = probeSettings(compiled);
  const probes = subjects.flatMap((subject) => {
    const rpc = rpcProbes(subject, settings);
    const mcp = paths.has('mcp') ? rpc.flatMap(asMcpProbes) : [];
    return [...restProbes(subject, settings), ...rpc, ...mcp].map((probe) => ({ probe, subject }));
  });
  const found = await mapConcurrently(probes, async ({ probe, subject }): Promise<readonly ProbeOutcome[]> => {
    const path = paths.get(probe.style);
    if (path === undefined) return [];
    const answer = await sendProbe(origin + path, probe, headers);
    if (probe.control && subject === subjects[0]) requireAnswer(probe, answer, subject);
    const surface = `${STYLE_LABELS[probe.style]} ${probe.surface}`;
    const finding = judgeAnswer(probe, answer, { ...subject, values });
    if (finding !== undefined) return [{ surface, finding }];
    return answer.status >= 500 ? [faultOf(surface, answer.status)] : [];
  });
  return found.flat();
}

const STYLE_LABELS = { rest: 'REST', rpc: 'RPC', mcp: 'MCP' } as const;

/** Rejects a control request that was refused, by a guard or a wrong path: then every probe would pass. */
function requireAnswer({ surface, style, path }: Probe, { status }: Answer, { owner, model }: ProbedField): void {
  const resource = style === 'rest' ? model.byType.get(owner.type.toLowerCase()) : model.byDelegate.get(owner.delegate.toLowerCase());
  const isOpen = resource?.actions.has('read') === true;
  if (!isOpen || status < 400 || status >= 500) return;
  const remedy = UNWELCOME.has(status)
    ? `give 'headers' of a caller who may read ${owner.name}.`
    : `unless ${path} is answered, the refusals of other questions prove nothing. Is there anything that 'headers' must say, e.g. a version?`;
  throw new Error(`The probe '${surface}' was answered ${status}: ${remedy}`);
}

const UNWELCOME: ReadonlySet<number> = new Set([401, 403, 429]);
