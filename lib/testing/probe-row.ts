import { uniqueWhere } from '../model/values/resource-id.js';
import type { Resource } from '../model/surface/surface.js';
import type { MountedApi } from '../module/mounted-apis.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type HiddenRow, type RowHop, type RowName, rowSubject, type RowSubject } from './hidden-row.js';
import { faultOf, type ProbeOutcome } from './leak.js';
import { asMcpProbes } from './mcp-probes.js';
import { type Answer, type Args, jsonOf, type Probe, probeSettings, rpcProbe } from './probe.js';
import { rowProbes, type RowProbe } from './row-probes.js';
import { mapConcurrently, sendProbe } from './send-probe.js';

/**
 * Probes whether any response distinguishes a hidden record from one that does not exist.
 *
 * @throws Error if the reader does not find the record, because equal responses then prove nothing
 */
export async function probeRow({ compiled, paths }: MountedApi, hidden: HiddenRow, origin: string): Promise<readonly ProbeOutcome[]> {
  const subject = rowSubject(hidden, compiled.model, probeSettings(compiled).divider);
  const { headers = {}, reader, values = [] } = hidden;
  const send = (probe: Probe, as = headers): Promise<Answer> => sendProbe(origin + (paths.get(probe.style) ?? ''), probe, as);
  await requireFound(subject, paths, (probe) => send(probe, reader));
  const parents = new Map(
    paths.has('rpc') ? await Promise.all(subject.hops.map(async ({ from }) => [from.delegate, await findParent(from, send)] as const)) : [],
  );
  const given = [...parents].flatMap(([delegate, where]) => (where ? [[delegate, where] as const] : []));
  const own = rowProbes(subject, new Map(given), values);
  const probes = [...own, ...own.flatMap(asMcpRowProbes)].filter(({ style }) => paths.has(style));
  const found = await mapConcurrently(probes, async (probe): Promise<readonly ProbeOutcome[]> => {
    const answers: Answer[] = [];
    for (const one of probe.probes) answers.push(await send(one));
    const surface = `${probe.style.toUpperCase()} ${probe.surface}`;
    const finding = judge(probe, answers, subject, values);
    if (finding !== undefined) return [{ surface, finding }];
    const failed = answers.find(({ status }) => status >= 500);
    return failed ? [faultOf(surface, failed.status)] : [];
  });
  const shown = await mapConcurrently(
    paths.has('rest') ? showingProbes(subject) : [],
    async ({ probe, hop }): Promise<readonly ProbeOutcome[]> => {
      const answer = await send(probe);
      const value = values.find((one) => answer.text.includes(one));
      const surface = `REST ${probe.surface}`;
      if (value !== undefined) return [{ surface, finding: `answered with the value '${value}'` }];
      if (answer.status >= 500) return [faultOf(surface, answer.status)];
      return isIncluded(answer, subject, hop) ? [{ surface, finding: 'shows the record' }] : [];
    },
  );
  return [...found, ...shown].flat();
}

/** Returns the same question for MCP, if its tools can express all of its requests. */
function asMcpRowProbes(probe: RowProbe): readonly RowProbe[] {
  if (probe.style !== 'rpc') return [];
  const probes = probe.probes.flatMap(asMcpProbes);
  return probes.length === probe.probes.length ? [{ ...probe, style: 'mcp', probes }] : [];
}

type Send = (probe: Probe) => Promise<Answer>;

async function requireFound({ resource, hidden }: RowSubject, paths: MountedApi['paths'], send: Send): Promise<void> {
  const { status } = await send(
    paths.has('rpc')
      ? rpcProbe('reader', { delegate: resource.delegate, operation: 'findUniqueOrThrow', args: { where: hidden.where } }, 'silence')
      : getProbe(`/${resource.type}/${encodeURIComponent(hidden.id)}`),
  );
  if (status >= 400) throw new Error(`The 'reader' was answered ${status}: unless somebody finds the record, equal answers prove nothing.`);
}

/** Finds a record that the caller may read, as the parent of nested writes. */
async function findParent({ delegate, identifier }: Resource, send: Send): Promise<Args | undefined> {
  const select = Object.fromEntries(identifier.fields.map(({ name }) => [name, true]));
  const body = jsonOf(await send(rpcProbe('parent', { delegate, operation: 'findFirst', args: { select } }, 'silence')));
  const row = isPlainObject(body) ? body['data'] : undefined;
  return isPlainObject(row) ? uniqueWhere(identifier, row) : undefined;
}

function judge({ kind }: RowProbe, [one, other]: readonly Answer[], subject: RowSubject, values: readonly string[]): string | undefined {
  if (!one) return undefined;
  const value = values.find((text) => one.text.includes(text));
  if (value !== undefined) return `answered ${one.status} with the value '${value}'`;
  if (other) return judgePair(kind, [one, other], subject);
  return one.status >= 400 || isSorted(one) ? undefined : 'is in another order than that of the counts it shows';
}

function judgePair(kind: RowProbe['kind'], [one, other]: readonly [Answer, Answer], subject: RowSubject): string | undefined {
  if (one.status >= 500 && other.status >= 500) return undefined;
  if (kind === 'without' && other.status >= 400) return undefined;
  if (one.status !== other.status) return `answered ${one.status}, and ${other.status} without the record`;
  const isSame = kind === 'without' ? one.text === other.text : unnamed(one.text, subject) === unnamed(other.text, subject);
  return isSame ? undefined : `answered otherwise (${one.status}) than without the record`;
}

/** Replaces the ids of both records by the same placeholder. */
function unnamed(text: string, { hidden, absent }: RowSubject): string {
  const without = (given: string, { id, plain }: RowName): string =>
    [id, encodeURIComponent(id), ...Object.values(plain).map(String)].reduce((left, name) => left.replaceAll(wordOf(name), '{id}'), given);
  return without(without(text, absent), hidden);
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w-])${name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?![\\w-])`, 'g');
}

/** Whether the rows are in ascending order of their counts. The counts are the only numbers in the response. */
function isSorted(answer: Answer): boolean {
  const body = jsonOf(answer);
  const rows = isPlainObject(body) && Array.isArray(body['data']) ? body['data'] : [];
  const counts = rows.map((row) => Number(/\d+/.exec(JSON.stringify(row))?.[0]));
  return counts.every((count, index) => index === 0 || count >= (counts[index - 1] ?? 0));
}

/** Builds ordinary list requests: one on the model itself, and one for each relation to it. */
function showingProbes({ resource, hops }: RowSubject): readonly { readonly probe: Probe; readonly hop?: RowHop }[] {
  return [
    { probe: getProbe(`/${resource.type}`) },
    ...hops.map((hop) => ({ probe: getProbe(`/${hop.from.type}?include=${hop.member}`), hop })),
  ];
}

function getProbe(path: string): Probe {
  return { surface: `GET ${path}`, style: 'rest', method: 'GET', path, expect: 'silence' };
}

/** Whether a response contains the record as a resource object or in the linkage of a to-many relationship. */
function isIncluded(answer: Answer, { resource: { type }, hidden: { id } }: RowSubject, hop: RowHop | undefined): boolean {
  const body = jsonOf(answer);
  if (!isPlainObject(body)) return false;
  const resources = [body['data'], body['included']].flat().filter(isPlainObject);
  const linked = hop?.many ? resources.flatMap(({ relationships }) => linkageOf(relationships, hop.member)) : [];
  return [...resources, ...linked].some((one) => one['type'] === type && String(one['id']) === id);
}

function linkageOf(relationships: unknown, member: string): readonly Readonly<Record<string, unknown>>[] {
  const relationship = isPlainObject(relationships) ? relationships[member] : undefined;
  return isPlainObject(relationship) ? [relationship['data']].flat().filter(isPlainObject) : [];
}
