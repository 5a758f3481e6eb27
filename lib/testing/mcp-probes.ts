import { FIND_ARGUMENTS } from '../mcp/tools/find.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type Answer, type Args, jsonOf, type Probe } from './probe.js';

/** Returns the same question for the tools of MCP that read; nothing for a request that they cannot express. */
export function asMcpProbes(probe: Probe): readonly Probe[] {
  if (probe.method !== 'GET') return [];
  const [path = '', search = '{}'] = probe.path.split('?q=');
  const [, name = '', operation] = path.split('/');
  if (probe.describes) return [toProbe(probe, 'describe', operation === undefined ? {} : { model: operation })];
  const args = JSON.parse(decodeURIComponent(search)) as Args;
  if (AGGREGATES.has(operation)) return [toProbe(probe, 'aggregate', { model: name, operation, args })];
  const isFind = operation === 'findMany' && Object.keys(args).every((key) => FIND_ARGUMENTS.includes(key));
  return isFind ? [toProbe(probe, 'find', { model: name, ...args })] : [];
}

const AGGREGATES: ReadonlySet<string | undefined> = new Set(['count', 'aggregate', 'groupBy']);

function toProbe(probe: Probe, tool: string, args: Args): Probe {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
  return { ...probe, style: 'mcp', method: 'POST', path: '', body };
}

/** Converts the response to a call of a tool to that of RPC. A refusal of a guard has no result, and stays as it is. */
export function toRpcAnswer(answer: Answer): Answer {
  const body = jsonOf(answer);
  const result = isPlainObject(body) ? body['result'] : undefined;
  const content = isPlainObject(result) ? result['structuredContent'] : undefined;
  if (!isPlainObject(content)) return answer;
  if (typeof content['status'] === 'number') return { status: content['status'], text: JSON.stringify(content) };
  return { status: 200, text: JSON.stringify({ ...content, data: content['rows'] ?? content['result'] ?? content }) };
}
