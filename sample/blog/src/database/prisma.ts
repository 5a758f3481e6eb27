import { PrismaClient } from '../generated/prisma/client.js';
import { DATABASE_URL } from '../settings.js';
import { openPglite, openPostgres } from './open-database.js';

/** What runs the SQL that the Prisma client does not. */
export const database = DATABASE_URL ? openPostgres(DATABASE_URL) : openPglite();

/** The data client of every request. */
export const prisma = new PrismaClient({ adapter: database.adapter });

/** For people. */
export const DATABASE_KIND = DATABASE_URL ? 'PostgreSQL at DATABASE_URL' : 'an embedded PostgreSQL in memory';
