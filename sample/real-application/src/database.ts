import { PrismaLibSql } from '@prisma/adapter-libsql';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrismaClient } from './generated/prisma/client.js';

/** A file that `prisma migrate deploy` has made. Without it, the rows live in a temporary one. */
const url = process.env['DATABASE_URL'] ?? `file:${join(mkdtempSync(join(tmpdir(), 'real-application-')), 'tasks.db')}`;

export const adapter = new PrismaLibSql({ url });
export const prisma = new PrismaClient({ adapter });
