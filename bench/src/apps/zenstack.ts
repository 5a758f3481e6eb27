import { ZenStackClient } from '@zenstackhq/orm';
import { RestApiHandler, RPCApiHandler } from '@zenstackhq/server/api';
import { ZenStackMiddleware } from '@zenstackhq/server/express';
import express from 'express';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { schema } from '../generated/zenstack/schema.js';
import { connectionString, POOL_SIZE } from './clients.js';
import { portOf } from './platform.js';

/** `@zenstackhq/server` on plain Express, as its documentation has it. */
export function start(): Promise<number> {
  const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString, max: POOL_SIZE }) });
  const db = new ZenStackClient(schema, { dialect });
  const app = express();
  app.use(express.json({ type: ['application/json', 'application/vnd.api+json'] }));
  const rest = new RestApiHandler({ schema, endpoint: 'http://localhost/rest' });
  app.use('/rest', ZenStackMiddleware({ apiHandler: rest, getClient: () => db }));
  app.use('/rpc', ZenStackMiddleware({ apiHandler: new RPCApiHandler({ schema }), getClient: () => db }));
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => {
      resolve(portOf(server));
    });
  });
}
