import { DEFAULT_LIMITS, type Limits } from '../../../lib/model/limits.js';
import type { DataCall } from '../../../lib/executor/plan.js';
import type { Query } from '../../../lib/query/query.js';
import type { Resource } from '../../../lib/model/surface/surface.js';
import { startBudget } from '../../../lib/rpc/arguments/argument-path.js';
import { findResource, requireOperation } from '../../../lib/rpc/parse-rpc-call.js';
import { planDataCall } from '../../../lib/rpc/plan-rpc-call.js';
import { printCall, type PrintedCall } from '../../support/print-plan.js';
import { modelOf } from './model-of.js';

/** A publisher with hidden and closed models, fields, relations and actions. */
export const { model: publisher } = modelOf(
  `
enum Role {
  READER
  AUTHOR
}

model User {
  id           Int      @id @default(autoincrement())
  email        String   @unique
  name         String
  role         Role     @default(READER)
  /// @api.hidden
  passwordHash String
  /// @api.hidden
  recoveryCode String?  @unique
  /// @api.writeOnly
  pin          String?
  /// @api.readOnly
  loginCount   Int      @default(0)
  /// @api.immutable
  locale       String   @default("en")
  phone        String?
  createdAt    DateTime @default(now())
  profile      Profile?
  posts        Post[]   @relation("author")
  reviews      Post[]   @relation("reviewer")
  comments     Comment[]
  tokens       Token[]
  letters      Letter[]
  seals        Seal[]
  badges       Badge[]
}

model Profile {
  id     Int    @id
  avatar Bytes?
  user   User   @relation(fields: [userId], references: [id])
  userId Int    @unique
}

model Post {
  id         BigInt    @id
  title      String
  viewCount  Int       @default(0)
  rating     Decimal?
  keywords   String[]
  metadata   Json?
  summary    Json
  ref        String    @db.Uuid
  author     User      @relation("author", fields: [authorId], references: [id])
  authorId   Int
  reviewer   User?     @relation("reviewer", fields: [reviewerId], references: [id])
  reviewerId Int?
  tags       Tag[]
  comments   Comment[]
  createdAt  DateTime  @default(now())

  @@unique([title, authorId])
}

model Tag {
  id    Int    @id
  name  String @unique
  posts Post[]
}

/// A comment stays with its post.
model Comment {
  id       Int    @id
  body     String
  /// @api.immutable
  post     Post   @relation(fields: [postId], references: [id])
  postId   BigInt
  author   User?  @relation(fields: [authorId], references: [id])
  authorId Int?
}

/// Hidden from every caller.
/// @api.hidden
model Token {
  id     Int    @id
  secret String @unique
  user   User   @relation(fields: [userId], references: [id])
  userId Int
}

/// May be written and not read.
model Letter {
  id     Int    @id
  text   String
  user   User?  @relation(fields: [userId], references: [id])
  userId Int?
}

/// May be read only.
model Seal {
  id     Int    @id
  name   String
  user   User?  @relation(fields: [userId], references: [id])
  userId Int?
}

/// Its owner is hidden, seen from here.
model Badge {
  id     Int   @id
  /// @api.hidden
  user   User? @relation(fields: [userId], references: [id])
  userId Int?
}
`,
  {
    previewFeatures: ['fullTextSearchPostgres'],
    resources: {
      User: { fields: { phone: { filter: ['equals', 'in'] } } },
      Letter: { actions: ['create'] },
      Seal: { actions: ['read'] },
    },
  },
);

export function resource(name: string): Resource {
  return findResource(publisher, name);
}

/** Plans `post.findMany` and the like, printed as a call of Prisma's client. */
export function plan(call: string, args: Record<string, unknown> = {}, limits: Partial<Limits> = {}): PrintedCall {
  return printCall(dataCall(call, args, limits));
}

/** Returns the query of `post.findMany` and the like. */
export function queryOf(call: string, args: Record<string, unknown> = {}): Query {
  return dataCall(call, args).query;
}

function dataCall(call: string, args: Record<string, unknown>, limits: Partial<Limits> = {}): DataCall {
  const [name = '', operation = ''] = call.split('.');
  const budget = startBudget({ ...DEFAULT_LIMITS, ...limits }, publisher.storage);
  return planDataCall({ resource: resource(name), operation: requireOperation(operation), args }, budget);
}

/** The arguments that the data client gets; `take` is that of `limits.maxTake` where none was given. */
export function planned(call: string, args: Record<string, unknown> = {}): Readonly<Record<string, unknown>> {
  return plan(call, args).args;
}

/** Returns the `select` of the readable scalar fields of a model, which is the default selection. */
export function plain(name: string): Readonly<Record<string, true>> {
  const readable = resource(name).attributes.filter(({ rights }) => rights.read);
  return Object.fromEntries(readable.map((attribute) => [attribute.name, true] as const));
}

/** Returns `400 sentence` or `403 sentence` of a refusal, and `accepted` otherwise. */
export function refusal(call: string, args: Record<string, unknown> = {}, limits: Partial<Limits> = {}): string {
  try {
    plan(call, args, limits);
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    return `${status ?? 'no ApiError:'} ${message}`;
  }
  return 'accepted';
}
