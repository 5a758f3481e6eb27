import type { DataClient } from '../../../lib/executor/data-client.js';
import type { Executor } from '../../../lib/executor/executor.js';
import { prismaExecutor } from '../../../lib/executor/prisma-executor.js';
import type { StoredModel } from '../../../lib/model/storage/storage.js';
import { storedModel, storedHop } from '../../../lib/model/storage/stored-model.js';
import { ALWAYS } from '../../../lib/query/condition.js';
import { fieldMembers, selectionOf } from '../../../lib/query/fields.js';
import { type ManyMember, type Member, type OneMember, type Selection, WHOLE } from '../../../lib/query/selection.js';
import { modelOf } from '../rpc/model-of.js';

/** Models whose keys are of one field, and of several. */
export const { model: library } = modelOf(`
model Author {
  region String
  id     BigInt
  name   String
  posts  Post[]
  @@id([region, id])
}

model Post {
  id       Int       @id
  title    String
  region   String
  writer   BigInt
  author   Author    @relation(fields: [region, writer], references: [region, id])
  comments Comment[]
  tags     Tag[]
}

model Comment {
  id     Int     @id
  spam   Boolean
  slug   String? @unique
  post   Post    @relation(fields: [postId], references: [id])
  postId Int
  likes  Like[]
}

model Like {
  id   Int      @id
  slug String?
  of   Comment? @relation(fields: [slug], references: [slug])
}

model Tag {
  id      BigInt @id
  posts   Post[]
  bundles Bundle[] @ignore
}

model Bundle {
  id   Int   @id
  tags Tag[]
}

model Day {
  day   DateTime
  no    BigInt
  lines Line[]
  @@id([day, no])
}

model Line {
  id     Int      @id
  on     Day      @relation(fields: [day, lineNo], references: [day, no])
  day    DateTime
  lineNo BigInt
}
`);

export function stored(name: string): StoredModel {
  return storedModel(library.storage, name);
}

/** A selection of fields by their names, and of related rows. */
export function select(name: string, members: readonly (string | Member)[]): Selection {
  const model = stored(name);
  return selectionOf(
    model,
    members.flatMap<Member>((member) => (typeof member === 'string' ? fieldMembers(model, [member]) : member)),
  );
}

/** A list of related rows: all of them, unless `said` limits them. */
export function many(path: `${string}.${string}`, members: readonly (string | Member)[], said: Partial<ManyMember> = {}): ManyMember {
  const hop = hopOf(path);
  return { kind: 'many', ...hop, where: ALWAYS, order: [], page: WHOLE, selection: select(hop.target.model, members), ...said };
}

/** The related row of a relation. */
export function one(path: `${string}.${string}`, members: readonly (string | Member)[]): OneMember {
  const hop = hopOf(path);
  return { kind: 'one', ...hop, where: ALWAYS, selection: select(hop.target.model, members), isLinkage: false };
}

function hopOf(path: string) {
  const [model = '', name = ''] = path.split('.');
  return storedHop(library.storage, { model, name });
}

/** Returns an executor of a client that records each call as `delegate.operation` with its arguments, and returns the result that `answers` has for it. */
export function answering(answers: Readonly<Record<string, unknown>>): { readonly executor: Executor; readonly calls: unknown[] } {
  const calls: unknown[] = [];
  const delegateOf = (delegate: string): object =>
    new Proxy(
      {},
      {
        get: (_, operation: string) => (args: unknown) => {
          calls.push([`${delegate}.${operation}`, args]);
          return Promise.resolve(answers[`${delegate}.${operation}`]);
        },
      },
    );
  const client: DataClient = new Proxy({}, { get: (_, delegate: string) => (delegate.startsWith('$') ? undefined : delegateOf(delegate)) });
  return { executor: prismaExecutor(client), calls };
}
