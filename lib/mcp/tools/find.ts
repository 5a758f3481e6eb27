import { cutList } from './cut-result.js';
import { readableModels, requireInteger, requireKnown, requireText } from './arguments.js';
import { READS, type Tool, type ToolContext } from './tool.js';
import type { Params } from '../protocol/read-message.js';

/** The largest number of rows of one call. */
export const MAX_TAKE = 50;

/** The arguments of `findMany` that the tool has. */
export const FIND_ARGUMENTS: readonly string[] = ['where', 'orderBy', 'skip', 'take', 'select', 'include'];

/** Reads records: one more than it returns, which shows whether there are more. */
export const find: Tool = {
  name: 'find',
  title: 'Find records',
  description:
    'Reads records of a model, as findMany of Prisma: where, orderBy, select and include are its arguments. ' +
    `Returns at most ${MAX_TAKE} rows. If there are more, next.skip is where to go on.`,
  annotations: READS,
  writes: false,
  inputs: (surface) => {
    const model = readableModels(surface);
    return (
      model && {
        properties: {
          model,
          where: { type: 'object', description: 'A filter, e.g. {"title": {"contains": "x"}}.' },
          orderBy: { description: 'E.g. {"createdAt": "desc"}, or a list of such objects.' },
          skip: { type: 'integer', minimum: 0 },
          take: { type: 'integer', minimum: 1, maximum: MAX_TAKE, default: MAX_TAKE },
          select: { type: 'object', description: 'The fields and relations to return, e.g. {"id": true}.' },
          include: { type: 'object', description: 'Relations to return beside all fields, e.g. {"author": true}.' },
        },
        required: ['model'],
      }
    );
  },
  toRpc: (args, context) => {
    requireKnown('find', args, ['model', ...FIND_ARGUMENTS]);
    requireInteger('find', args, 'skip', [0, Number.MAX_SAFE_INTEGER]);
    const params = { model: requireText('find', args, 'model'), operation: 'findMany' };
    // Because the body always has take, RPC completes the order: no row is on two pages, and none on no page.
    const body = { ...withoutModel(args), take: readOf(takeOf(args), context) };
    return { endpoint: 'operation', params, method: 'QUERY', body };
  },
  render: (data, args, context) => {
    const { maxResultBytes } = context;
    const take = takeOf(args);
    const found = Array.isArray(data) ? data : [];
    const { kept, leftOut } = cutList(found.slice(0, take), maxResultBytes);
    // Where limits.maxTake allows no further row, a full page may have been the last one.
    const isMore = found.length === readOf(take, context);
    const skip = Number(args['skip'] ?? 0) + kept.length;
    const next = (isMore || leftOut > 0) && kept.length > 0 ? { next: { skip } } : {};
    const cut = leftOut > 0 && { cut: { leftOut, reason: reasonOf(kept.length, maxResultBytes) } };
    const summary = `${kept.length} rows of ${String(args['model'])}.${summaryOf({ isMore, leftOut, kept: kept.length, skip })}`;
    return { summary, content: { rows: kept, more: isMore || leftOut > 0, ...next, ...cut } };
  },
};

function withoutModel({ model: _, ...others }: Params): Params {
  return others;
}

function takeOf(args: Params): number {
  return requireInteger('find', args, 'take', [1, MAX_TAKE]) ?? MAX_TAKE;
}

/** Returns the number of rows to read: one more than a page has, within `limits.maxTake`. */
function readOf(take: number, { limits: { maxTake } }: Pick<ToolContext, 'limits'>): number {
  return Math.min(take + 1, maxTake);
}

function reasonOf(kept: number, maxBytes: number): string {
  const limit = `The rows are larger than ${maxBytes} bytes.`;
  if (kept > 0) return `${limit} Call find again with the skip of next, or name fewer fields with select.`;
  return `${limit} The first one alone is larger: name fewer fields with select, or fewer related rows with take in include.`;
}

interface Page {
  readonly isMore: boolean;
  readonly leftOut: number;
  readonly kept: number;
  readonly skip: number;
}

function summaryOf({ isMore, leftOut, kept, skip }: Page): string {
  const cut = leftOut > 0 ? ` ${leftOut} further rows of this page are left out, because they are too large.` : '';
  if (kept === 0) return cut;
  if (isMore) return `${cut} There are more after this page: go on with skip ${skip}; aggregate counts them.`;
  return leftOut > 0 ? `${cut} Go on with skip ${skip}.` : '';
}
