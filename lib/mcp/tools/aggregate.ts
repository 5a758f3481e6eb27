import { cutList, jsonBytes } from './cut-result.js';
import { invalid, readableModels, requireKnown, requireObject, requireText } from './arguments.js';
import { READS, type Tool } from './tool.js';

const OPERATIONS = ['count', 'aggregate', 'groupBy'];

/** Counts records, and computes values of them. */
export const aggregate: Tool = {
  name: 'aggregate',
  title: 'Count and aggregate records',
  description:
    'Counts records of a model (count), or computes _count, _sum, _avg, _min and _max of them (aggregate), or of each group (groupBy). ' +
    'args are those of the operation in Prisma, e.g. {"by": ["state"], "_count": true} of groupBy.',
  annotations: READS,
  writes: false,
  inputs: (surface) => {
    const model = readableModels(surface);
    return (
      model && {
        properties: { model, operation: { type: 'string', enum: OPERATIONS }, args: { type: 'object' } },
        required: ['model', 'operation'],
      }
    );
  },
  toRpc: (args) => {
    requireKnown('aggregate', args, ['model', 'operation', 'args']);
    const operation = requireText('aggregate', args, 'operation');
    if (!OPERATIONS.includes(operation)) throw invalid('aggregate', 'operation', `must be one of ${OPERATIONS.join(', ')}.`);
    const params = { model: requireText('aggregate', args, 'model'), operation };
    return { endpoint: 'operation', params, method: 'QUERY', body: requireObject('aggregate', args, 'args') };
  },
  render: (data, args, { maxResultBytes }) => {
    const of = `${String(args['operation'])} of ${String(args['model'])}`;
    if (!Array.isArray(data)) {
      if (jsonBytes(data) <= maxResultBytes) return { summary: `The ${of}.`, content: { result: data } };
      const reason = `The result is larger than ${maxResultBytes} bytes: name fewer fields.`;
      return { summary: `The ${of} is left out. ${reason}`, content: { result: null, cut: { leftOut: 1, reason } } };
    }
    const { kept, leftOut } = cutList(data, maxResultBytes);
    const reason = `${leftOut} of ${data.length} groups are left out, because they are larger than ${maxResultBytes} bytes. Use orderBy, take and skip.`;
    const cut = leftOut > 0 && { cut: { leftOut, reason } };
    return { summary: `${kept.length} groups: the ${of}.${leftOut > 0 ? ` ${reason}` : ''}`, content: { result: kept, ...cut } };
  },
};
