/*
 * Measures how long TypeScript takes to check calls of the typed client, against the same calls of Prisma's own client, on a generated schema.
 *
 * npm run bench:typed-client [-- --models 302] [--called 30]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { createSchema } from './create-schema.mjs';

const CLIENTS = {
  "Prisma's client": `import type { PrismaClient } from './prisma/client.js';\ndeclare const client: PrismaClient;\n`,
  'the typed client': `import { createRpcClient } from '../../../../dist/client/index.js';
import type { PrismaClient } from './prisma/client.js';
const client = createRpcClient<PrismaClient>({ endpoint: '/api/rpc' });\n`,
};

if (process.send) process.send(check(argv[2]));
else await compare();

async function compare() {
  const { models, called, rounds } = parseArgs({
    options: {
      models: { type: 'string', default: '302' },
      called: { type: 'string', default: '30' },
      rounds: { type: 'string', default: '3' },
    },
  }).values;
  const { folder } = createSchema(Number(models));
  const names = Array.from(readFileSync(`${folder}schema.prisma`, 'utf8').matchAll(/^model (\w+)/gm), ([, name]) => name);
  const calls = names.slice(0, Number(called)).map(callsOf).join('\n');
  const costs = {};
  for (let round = 0; round < Number(rounds); round++) {
    for (const [index, [name, head]] of Object.entries(CLIENTS).entries()) {
      const file = `${folder}calls-${index}.ts`;
      writeFileSync(file, `${head}\n${calls}\n`);
      const [{ cpu, errors }] = await once(fork(fileURLToPath(import.meta.url), [file]), 'message');
      if (errors.length > 0) throw new Error(errors.join('\n'));
      costs[name] = Math.min(costs[name] ?? Infinity, cpu);
    }
  }
  const [own, typed] = Object.values(costs);
  for (const [name, cpu] of Object.entries(costs)) console.log(`${name}: ${(cpu / 1000).toFixed(1)} s of processor time`);
  console.log(`${models} models, ${called} of them called: ${(typed / own).toFixed(2)} times`);
}

function callsOf(model) {
  const delegate = model[0].toLowerCase() + model.slice(1);
  return `export async function use${model}() {
  const rows = await client.${delegate}.findMany({ where: { id: { in: [1, 2] }, owner: { is: { id: 1 } } }, include: { owner: true, parent: true }, take: 10 });
  const one = await client.${delegate}.findUnique({ where: { id: 1 }, select: { id: true, createdAt: true, owner: { select: { id: true } } } });
  const count: number = await client.${delegate}.count({ where: { createdAt: { gt: new Date() } } });
  const changed = await client.${delegate}.update({ where: { id: 1 }, data: { createdAt: new Date() } });
  return [rows[0]?.owner?.id, rows[0]?.parent?.createdAt, one?.owner?.id, count, changed.id] as const;
}`;
}

/** Checks a file, and returns the processor time in ms. */
function check(file) {
  const start = process.cpuUsage();
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
  });
  const errors = ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  const { user, system } = process.cpuUsage(start);
  return { cpu: (user + system) / 1000, errors };
}
