import type { INestApplication } from '@nestjs/common';
import { type HiddenField, isFieldOf, type Subject, subjectsOf } from './hidden-field.js';
import type { HiddenRow } from './hidden-row.js';
import { judgeAnswer } from './judge-answer.js';
import { faultOf, faultText, LeakError, type ProbeOutcome } from './leak.js';
import { type MountedApi, mountedApis } from '../module/mounted-apis.js';
import { type Answer, type Probe, probeSettings } from './probe.js';
import { probeRow } from './probe-row.js';
import { restProbes } from './rest-probes.js';
import { rpcProbes } from './rpc-probes.js';
import { inTurns, openServer, sendProbe } from './send-probe.js';

/**
 * Proves over HTTP that nobody can read or probe a field: every filter with every operator, sort, include, fieldset, select, omit, cursor,
 * distinct, aggregate, having, unique key and nested condition, of both styles and in batches, from the model itself and from every model that
 * leads to it; and that ordinary answers and error texts do not show it. Generated from the Prisma schema, so that a field and a relation that
 * is added tomorrow is probed too. Of a relation or its foreign key the other side is probed as well, for that tells the same.
 *
 * With `row` it proves that a caller cannot tell a record that may not be read from one that is not there: by its key, filters, relations and their
 * quantifiers, counts, aggregates, groups, orders, cursors, includes, linkage, connects and other writes, and error texts. Each question is asked
 * of the record and of a key that no record has, or with the record and without it, and the answers are compared.
 *
 * The application may listen already or not. Nothing is written: whatever could write is asked of records that do not exist, or in a batch that
 * cannot succeed.
 *
 * @throws LeakError with every surface that accepts or reveals the field, or tells of the record
 * @throws Error where an ordinary question is not answered, where requests fail (5xx), or where `reader` does not find the record: then the
 * other answers would prove nothing
 * @throws TypeError where no module has such a field or model, or `row` lacks a field of the id
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

/** The modules that know the field: each may have a schema of its own. */
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
  const probes = subjects.flatMap((subject) =>
    [...restProbes(subject, settings), ...rpcProbes(subject, settings)].map((probe) => ({ probe, subject })),
  );
  const found = await inTurns(probes, async ({ probe, subject }): Promise<readonly ProbeOutcome[]> => {
    const path = paths.get(probe.style);
    if (path === undefined) return [];
    const answer = await sendProbe(origin + path, probe, headers);
    if (probe.control && subject === subjects[0]) requireAnswer(probe, answer, subject);
    const surface = `${STYLES[probe.style]} ${probe.surface}`;
    const finding = judgeAnswer(probe, answer, { ...subject, values });
    if (finding !== undefined) return [{ surface, finding }];
    return answer.status >= 500 ? [faultOf(surface, answer.status)] : [];
  });
  return found.flat();
}

const STYLES = { rest: 'REST', rpc: 'RPC' } as const;

/** Where an ordinary question gets no answer, because of a guard or because it went astray, every probe would pass. */
function requireAnswer({ surface, style, path }: Probe, { status }: Answer, { owner, model }: Subject): void {
  const resource = style === 'rest' ? model.byType.get(owner.type.toLowerCase()) : model.byDelegate.get(owner.delegate.toLowerCase());
  const isOpen = resource?.actions.has('read') === true;
  if (!isOpen || status < 400 || status >= 500) return;
  const remedy = UNWELCOME.has(status)
    ? `give 'headers' of a caller who may read ${owner.name}.`
    : `unless ${path} is answered, the refusals of other questions prove nothing. Is there anything that 'headers' must say, e.g. a version?`;
  throw new Error(`The probe '${surface}' was answered ${status}: ${remedy}`);
}

const UNWELCOME: ReadonlySet<number> = new Set([401, 403, 429]);
