import { type INestApplication, VersioningType } from '@nestjs/common';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startMcpApp } from '../../support/mcp.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';

const METADATA = '/.well-known/oauth-protected-resource';
const authorizationServers = ['https://auth.example.com'];

onPlatforms.all('the OAuth metadata of MCP', (platform) => {
  let database: TestDatabase;
  let app: TestApp | undefined;
  const start = async (resource?: string, configure?: (nest: INestApplication) => void): Promise<void> => {
    const options = { mcp: { resourceMetadata: { authorizationServers, ...(resource !== undefined && { resource }) } } };
    app = await startMcpApp({ platform, database, options, ...(configure && { configure }) });
  };
  const resourceAt = async (path: string): Promise<unknown> => {
    const response = await fetch(`${app?.url}${METADATA}${path}`);
    return response.status === 200 ? ((await response.json()) as { readonly resource: unknown }).resource : response.status;
  };

  beforeAll(async () => {
    database = await openTestDatabase();
  }, 60_000);
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });
  afterAll(() => database.close());

  it.each(['https://api.example.com', 'https://api.example.com/', 'https://api.example.com/mcp'])('has the public URL %s', async (url) => {
    await start(url);
    expect(await resourceAt('')).toBe(url);
    expect(await resourceAt('/mcp')).toBe(url);
  });

  it.each([undefined, 'https://api.example.com/mcp'])('is at the path of each version, with the public URL %s', async (url) => {
    await start(url, (nest) => nest.enableVersioning({ type: VersioningType.URI, defaultVersion: ['1', '2'] }));
    const { origin } = new URL(app?.url ?? '');
    expect(await resourceAt('/v1/mcp')).toBe(url ?? `${origin}/v1/mcp`);
    expect(await resourceAt('/v2/mcp')).toBe(url ?? `${origin}/v2/mcp`);
    expect(await resourceAt('/mcp')).toBe(url ?? 404);
    expect(await resourceAt('')).toBe(url ?? `${origin}/v1/mcp`);
  });
});
