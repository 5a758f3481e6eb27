import type { TestApp } from '../../support/test-app.js';
import type { KeyModel } from '../../support/values/values-database.js';
import { ATOMIC } from '../rest/operations-suite.js';
import { type Send, rpc } from './two-writers.js';

type Key = readonly string[];

/** Returns every kind of write that selects a record by this key. */
export function writesByKey(model: KeyModel, key: Key): readonly (readonly [title: string, send: Send])[] {
  const { name, fields } = model;
  const type = `key${name}`;
  const id = idOf(key);
  const own = `own${name}`;
  const many = fields.length === 1 ? [`many${name}`] : [];
  const linkage = [{ type, id }];
  const rpcKey = keyOf(model, key);
  const foreign = Object.fromEntries(fields.map((field, index) => [field.foreign, jsonOf(field.type.prisma, key[index] ?? '')]));
  const path = `/${type}/${encodeURIComponent(id)}`;
  const lists = [own, ...many];
  return [
    ...lists.flatMap((list): [string, Send][] => [
      ...(['POST', 'PATCH', 'DELETE'] as const).map((method): [string, Send] => [
        `${method} ${list}`,
        rest(method, `/owner/1/relationships/${list}`, linkage),
      ]),
      ...['', `?include=${list}`, `?fields[owner]=name`].flatMap((query): [string, Send][] => [
        [
          `PATCH owner with ${list}${query}`,
          rest('PATCH', `/owner/1${query}`, { type: 'owner', id: 1, relationships: { [list]: { data: linkage } } }),
        ],
        [
          `POST owner with ${list}${query}`,
          rest('POST', `/owner${query}`, { type: 'owner', attributes: { name: 'New' }, relationships: { [list]: { data: linkage } } }),
        ],
      ]),
      ...['connect', 'disconnect', 'set'].flatMap((verb): [string, Send][] => [
        [`rpc ${verb} ${list}`, rpc('owner/update', { where: { id: 1 }, data: { [list]: { [verb]: [rpcKey] } } })],
        [
          `rpc ${verb} ${list} include`,
          rpc('owner/update', { where: { id: 1 }, data: { name: 'x', [list]: { [verb]: [rpcKey] } }, include: { [list]: true } }),
        ],
      ]),
      [
        `rpc connectOrCreate ${list}`,
        rpc('owner/update', {
          where: { id: 1 },
          data: { [list]: { connectOrCreate: { where: rpcKey, create: { ...partsOf(model, key), label: 'new' } } } },
          include: { [list]: true },
        }),
      ],
    ]),
    ...['', '?include=to', `?fields[ref${name}]=label`].flatMap((query): [string, Send][] => [
      [
        `POST ref${query}`,
        rest('POST', `/ref${name}${query}`, {
          type: `ref${name}`,
          attributes: { label: 'new' },
          relationships: { to: { data: { type, id } } },
        }),
      ],
      [
        `PATCH ref${query}`,
        rest('PATCH', `/ref${name}/1${query}`, { type: `ref${name}`, id: 1, relationships: { to: { data: { type, id } } } }),
      ],
      [
        `POST ref by foreign key${query}`,
        rest('POST', `/ref${name}${query}`, { type: `ref${name}`, attributes: { label: 'new', ...foreign } }),
      ],
      [`PATCH key${query}`, rest('PATCH', `${path}${ofKey(query)}`, { type, id, attributes: { label: 'x' } })],
      [
        `PATCH key with owner${query}`,
        rest('PATCH', `${path}${ofKey(query)}`, {
          type,
          id,
          relationships: { owner: { data: { type: 'owner', id: 2 } } },
        }),
      ],
    ]),
    ['PATCH ref/relationships/to', rest('PATCH', `/ref${name}/1/relationships/to`, { type, id })],
    ['PATCH key/relationships/owner', rest('PATCH', `${path}/relationships/owner`, { type: 'owner', id: 2 })],
    ['POST key/relationships/refs', rest('POST', `${path}/relationships/refs`, [{ type: `ref${name}`, id: 1 }])],
    ['DELETE key', ({ rest: client }: TestApp) => client.request('DELETE', path)],
    ...[{}, { include: { to: true } }].flatMap((more): [string, Send][] => [
      ['rpc ref.create', rpc(`ref${name}/create`, { data: { label: 'x', to: { connect: rpcKey } }, ...more })],
      [
        'rpc ref.update',
        rpc(`ref${name}/update`, {
          where: { id: 1 },
          data: { to: { connectOrCreate: { where: rpcKey, create: { ...partsOf(model, key), label: 'new' } } } },
          ...more,
        }),
      ],
    ]),
    ...[{}, { include: { refs: true, owner: true } }].flatMap((more): [string, Send][] => [
      ['rpc key.update', rpc(`${type}/update`, { where: rpcKey, data: { label: 'x' }, ...more })],
      [
        'rpc key.upsert',
        rpc(`${type}/upsert`, { where: rpcKey, create: { ...partsOf(model, key), label: 'new' }, update: { label: 'x' }, ...more }),
      ],
      ['rpc key.delete', rpc(`${type}/delete`, { where: rpcKey, ...more })],
    ]),
    [
      'rpc batch',
      ({ rpc: client }: TestApp) =>
        client.sequential([
          { model: `ref${name}`, op: 'create', args: { data: { label: 'x', to: { connect: rpcKey } } } },
          { model: 'owner', op: 'update', args: { where: { id: 1 }, data: { [own]: { connect: rpcKey } }, include: { [own]: true } } },
          { model: type, op: 'findUnique', args: { where: rpcKey } },
        ]),
    ],
    [
      'atomic operations',
      ({ agent }: TestApp) =>
        agent
          .post('/api/rest/operations')
          .set('Content-Type', ATOMIC)
          .send(
            JSON.stringify({
              'atomic:operations': [
                { op: 'add', data: { type: `ref${name}`, attributes: { label: 'x' }, relationships: { to: { data: { type, id } } } } },
                { op: 'add', ref: { type: 'owner', id: '1', relationship: own }, data: linkage },
                { op: 'update', ref: { type, id }, data: { type, id, attributes: { label: 'y' } } },
              ],
            }),
          ),
    ],
  ];
}

/** Returns the same query for the referenced model. */
function ofKey(query: string): string {
  return query.replace('include=to', 'include=refs,owner').replace('[ref', '[key');
}

function rest(method: 'DELETE' | 'PATCH' | 'POST', path: string, data: object): Send {
  return ({ rest: client }) => client.request(method, path, { body: { data } });
}

function idOf(key: Key): string {
  return key.length === 1 ? (key[0] ?? '') : key.map((part) => part.replaceAll(/[\\_]/g, String.raw`\$&`)).join('_');
}

/** Returns Prisma's `where` for a key. */
function keyOf(model: KeyModel, key: Key): object {
  const parts = partsOf(model, key);
  return model.fields.length === 1 ? parts : { [model.fields.map(({ name }) => name).join('_')]: parts };
}

function partsOf({ fields }: KeyModel, key: Key): object {
  return Object.fromEntries(fields.map(({ name, type }, index) => [name, valueOf(type.prisma, key[index] ?? '')]));
}

/** A value of an argument. */
function valueOf(prisma: string, text: string): unknown {
  if (prisma.startsWith('DateTime')) return new Date(text);
  if (prisma.startsWith('BigInt')) return BigInt(text);
  if (prisma.startsWith('Bytes')) return new Uint8Array(Buffer.from(text, 'base64'));
  return jsonOf(prisma, text);
}

/** A value in a document. */
function jsonOf(prisma: string, text: string): unknown {
  if (/^(?:Int|Float)\b/.test(prisma)) return Number(text);
  return prisma.startsWith('Boolean') ? text === 'true' : text;
}
