import { ResourceApiModule, type ResourceApiOptions } from '../../../lib/index.js';
import { compileOptions } from '../../../lib/module/compile-options.js';
import { registrationOf } from '../../../lib/options/registration.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const compile = (options: Partial<ResourceApiOptions>): unknown => {
  const all = { schema: resourceSchema, getClient: () => ({}), ...options } as ResourceApiOptions;
  ResourceApiModule.forRoot(all);
  return compileOptions(all, registrationOf(all, ResourceApiModule)).mcp;
};

describe('the option mcp', () => {
  it('has defaults', () => {
    expect(compile({ mcp: {} })).toEqual({ writes: false, allowedOrigins: [], maxResultBytes: 100_000 });
    expect(compile({})).toBeUndefined();
    expect(compile({ rpc: false, mcp: { prefix: 'agents' } })).toBeDefined();
  });

  it.each<[string, ResourceApiOptions['mcp'] | { readonly write: true }, string]>([
    ['a name', { write: true }, "mcp names 'write'"],
    ['an empty prefix', { prefix: '/' }, 'mcp.prefix is empty.'],
    ['the prefix of another style', { prefix: 'rpc' }, "RPC and MCP are both mounted at '/rpc'."],
    ['an origin with a path', { allowedOrigins: ['https://example.com/'] }, 'mcp.allowedOrigins[0]'],
    ['an origin for all', { allowedOrigins: ['*'] }, 'mcp.allowedOrigins[0]'],
    ['no size', { maxResultBytes: 0 }, 'mcp.maxResultBytes'],
    ['a server without a scheme', { resourceMetadata: { authorizationServers: ['auth'] } }, 'mcp.resourceMetadata.authorizationServers[0]'],
  ])('rejects %s', (_, mcp, text) => {
    expect(() => compile({ rpc: { prefix: 'rpc' }, mcp: mcp as NonNullable<ResourceApiOptions['mcp']> })).toThrow(text);
  });
});
