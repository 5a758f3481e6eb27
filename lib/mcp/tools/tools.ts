import type { Surface } from '../../model/surface/surface.js';
import { act } from './act.js';
import { aggregate } from './aggregate.js';
import { describe } from './describe.js';
import { find } from './find.js';
import type { Tool, ToolContext } from './tool.js';
import { write } from './write.js';

/** All tools, in the order of `tools/list`. */
const TOOLS: readonly Tool[] = [describe, find, aggregate, write, act];

/** Returns a tool that the options have turned on. */
export function findTool(name: string, { writes }: Pick<ToolContext, 'writes'>): Tool | undefined {
  return TOOLS.find((tool) => tool.name === name && (writes || !tool.writes));
}

/** Lists the tools that a caller may call, with the names that this caller may see. */
export function listTools(surface: Surface, context: Pick<ToolContext, 'writes'>): readonly object[] {
  return TOOLS.flatMap(({ name, title, description, annotations, writes, inputs }) => {
    const schema = writes && !context.writes ? undefined : inputs(surface);
    if (!schema) return [];
    const inputSchema = { type: 'object', properties: schema.properties, required: schema.required, additionalProperties: false };
    return [{ name, title, description, inputSchema, annotations: { title, ...annotations } }];
  });
}
