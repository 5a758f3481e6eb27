import { PrismaClient as EmulatedClient } from './generated/emulated/prisma/client.js';
import { PrismaClient } from './generated/keys/prisma/client.js';
import { openScripted, type ScriptedDatabase } from './scripted-database.js';

/** All its tables, each after those that it refers to. */
export const KEYS_TABLES = [
  ...['Doc', 'Page', 'Big', 'Price', 'Level', 'Pair', 'Amount', 'Account', 'Room', 'Guest', 'Seat', 'Row', 'Draft', 'Member', 'Coupon'],
  ...['Ledger', 'Memo', 'Entry', 'Unit', 'Shelf', 'Work', 'Job', 'Shift'],
];

const SEED = `
  INSERT INTO "Doc" VALUES ('one', 's1', 'first', NULL), ('9007199254740992', 's2', 'even', NULL), ('1.1', 's3', 'fraction', NULL), ('1e+21', 's4', 'long', NULL);
  INSERT INTO "Page" VALUES (1, 'one');
  INSERT INTO "Big" VALUES (1, 'n1', 'first', NULL), (9007199254740992, 'n2', 'even', NULL), (9007199254740993, 'n3', 'odd', NULL);
  INSERT INTO "Price" VALUES (1, 'n1', 'first', NULL), (9007199254740992, 'n2', 'even', NULL), (0.3, 'n3', 'fraction', NULL);
  INSERT INTO "Level" VALUES (1, 'n1', 'first', NULL), (9007199254740992, 'n2', 'even', NULL), (1.5, 'n3', 'fraction', NULL);
  INSERT INTO "Pair" VALUES (1, 1, 'n1', 'first', 'l1'), (9007199254740992, 9007199254740992, 'n2', 'even', 'l2');
  INSERT INTO "Amount" VALUES (1, 1, 1, '{1}', '{1}', 1, NULL), (2, 9007199254740992, 9007199254740992, '{9007199254740992}', '{9007199254740992}', 1.5, 1);
  INSERT INTO "Account" VALUES (1, 'a@x', 'a', 'first'), (2, 'b@x', 'b', 'second');
  INSERT INTO "Room" VALUES (1, 'r1'), (2, 'r2');
  INSERT INTO "Guest" VALUES (1, 'ada'), (1, 'bob'), (2, 'ada');
  INSERT INTO "Seat" VALUES (1, 1, 'b1', 'first', 'ada'), (2, 1, 'b2', 'second', NULL);
  INSERT INTO "Row" VALUES (1, 1, 's', 'first'), (2, 2, 's', 'second');
  INSERT INTO "Draft" VALUES (1, 's', 'first', NULL);
  INSERT INTO "Member" VALUES (1, 'm1'), (2, 'm2'), (3, 'm3');
  INSERT INTO "Coupon" VALUES (2, 'c2', 1), (3, 'c3', NULL), (4, 'c4', 2);
  INSERT INTO "Ledger" VALUES (1, 'L1'), (1, 'L2'), (2, 'L1');
  INSERT INTO "Memo" VALUES (1, 'M1'), (2, 'M1');
  INSERT INTO "Entry" VALUES (1, 1, 'e1', 'L1', 'M1'), (2, 1, 'e2', 'L1', NULL), (3, 2, 'e3', 'L1', 'M1'), (4, 1, 'e4', NULL, 'M1');
  INSERT INTO "Unit" VALUES (1, 1, 'u11'), (1, 2, 'u12'), (2, 1, 'u21');
  INSERT INTO "Shelf" VALUES (1, 'S1'), (2, 'S2');
  INSERT INTO "Work" VALUES (1, 'w1', 1, 1, 'S1', 1);
  INSERT INTO "Job" VALUES (1, 'j1', 1, 1, 'S1');
  INSERT INTO "Shift" VALUES (1, 1, 1, 2);`;

const SCRIPT = { name: 'keys', tables: KEYS_TABLES, seed: SEED };

/** A database of records by keys of every type (`prisma/keys.prisma`), for one test file. */
export type KeysDatabase = ScriptedDatabase<PrismaClient>;

export function openKeysDatabase(): Promise<KeysDatabase> {
  return openScripted(SCRIPT, (options) => new PrismaClient(options));
}

/** The same through a client of `relationMode = "prisma"` (`prisma/emulated.prisma`). */
export function openEmulatedDatabase(): Promise<ScriptedDatabase<EmulatedClient>> {
  return openScripted(SCRIPT, (options) => new EmulatedClient(options));
}
