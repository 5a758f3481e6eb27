import { line, type Results } from './report.js';

/** How many times the throughput of another contender one aims at, by the name of the work. */
interface Aim {
  readonly title: string;
  readonly ours: string;
  readonly theirs: string;
  readonly least: (work: string) => number | undefined;
}

const WITH_SQL: Readonly<Record<string, number>> = {
  'REST list 20 + total': 1.5,
  'REST list 20 + author': 2,
  'REST list 100 + comments': 1.8,
  'REST single': 2,
  'RPC findMany 20': 1.8,
  'RPC findUnique': 2,
  'REST create': 1.5,
  'REST update': 1.5,
  'RPC create': 1.5,
};
const ZENSTACK: Readonly<Record<string, number>> = {
  'REST list 20 + total': 3,
  'REST list 20 + author': 3,
  'REST list 100 + comments': 5,
  'REST single': 2,
  'RPC findMany 20': 1.5,
  'RPC findUnique': 1.2,
};
const isRead = (work: string): boolean => !/create|update/.test(work);

const AIMS: readonly Aim[] = [
  {
    title: 'Prisma, Express ÷ hand-written',
    ours: 'ours · Express · prisma',
    theirs: 'hand-written · Express · prisma',
    least: (work) => (isRead(work) ? 0.95 : undefined),
  },
  {
    title: 'Prisma, Fastify ÷ hand-written',
    ours: 'ours · Fastify · prisma',
    theirs: 'hand-written · Fastify · prisma',
    least: (work) => (isRead(work) ? 0.9 : undefined),
  },
  {
    title: 'Prisma, Express ÷ ZenStack',
    ours: 'ours · Express · prisma',
    theirs: 'zenstack · Express',
    least: (work) => ZENSTACK[work],
  },
  {
    title: 'SQL, Express ÷ hand-written',
    ours: 'ours · Express · sql',
    theirs: 'hand-written · Express · prisma',
    least: (work) => WITH_SQL[work],
  },
  {
    title: 'SQL, Fastify ÷ hand-written',
    ours: 'ours · Fastify · sql',
    theirs: 'hand-written · Fastify · prisma',
    least: (work) => WITH_SQL[work],
  },
  {
    title: 'SQL, Fastify ÷ one JSON statement',
    ours: 'ours · Fastify · sql',
    theirs: 'json-statement · node:http',
    least: (work) => (work === 'REST list 20 + total' ? 0.7 : undefined),
  },
  {
    title: 'row-level security and SQL ÷ hand-written with it',
    ours: 'ours · Fastify · policies + sql',
    theirs: 'hand-written · Fastify · policies',
    least: (work) => (isRead(work) ? 1.5 : 2),
  },
];

/** Lists of one tenant, under row rules. */
const RULED: readonly Aim[] = ['Express', 'Fastify'].map((platform) => ({
  title: `rules and SQL, ${platform} ÷ hand-written`,
  ours: `ruled · ${platform} · sql`,
  theirs: `hand-written · ${platform} · prisma`,
  least: (work) => (work.endsWith('tenanted') ? 1.5 : undefined),
}));

const AS_INIT_LEAST: Readonly<Record<string, number>> = {
  'REST list 20 + total': 1.5,
  'REST list 20 + author': 1.5,
  'REST single': 1.5,
  'REST create': 1.3,
  'REST update': 1.3,
};

/** What the first hour gives: the aims of the contender "as `init` writes it". */
const AS_INIT: readonly Aim[] = ['Express', 'Fastify'].map((platform) => ({
  title: `${platform} ÷ hand-written`,
  ours: `as-init · ${platform} · sql`,
  theirs: `hand-written · ${platform} · prisma`,
  least: (work) => AS_INIT_LEAST[work],
}));

/** A table of what is aimed at and what was reached, where all of it was measured; what was missed is bold. */
export function aimsTable(results: Results): string {
  return [tableOf(AIMS, results), tableOf(RULED, results)].join('\n');
}

/** The same of an application as `init` writes it. */
export function asInitTable(results: Results): string {
  return tableOf(AS_INIT, results);
}

/** How many times the processor time of a request without own code one with it may take, by the name of the work. */
const OWN_CODE: Readonly<Record<string, number>> = { 'REST list 20 + total': 1.05, 'REST create': 1.2 };

/** A table of what a grant costs a list, and a hook a create. */
export function ownCodeTable(results: Results): string {
  const platforms = ['Express', 'Fastify'];
  const rows = Object.entries(OWN_CODE).map(([work, most]) => {
    const cells = platforms.map((platform) => {
      const { [`own-code · ${platform} · prisma`]: own, [`ours · ${platform} · prisma`]: without } = results[work] ?? {};
      if (!own || !without) return '';
      const cost = own.cpuRatio / without.cpuRatio;
      return cost > most ? `**${cost.toFixed(2)}**` : cost.toFixed(2);
    });
    return line([work, String(most), ...cells]);
  });
  const head = line(['processor time with a grant and a hook ÷ without', 'goal, at most', ...platforms]);
  return [head, '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

function tableOf(wanted: readonly Aim[], results: Results): string {
  const aims = wanted.filter(({ ours, theirs }) => Object.values(results).some((row) => ours in row && theirs in row));
  const rows = Object.entries(results)
    .map(([work, row]) => [work, aims.map((aim) => cellOf(aim, work, row))] as const)
    .filter(([, cells]) => cells.some((cell) => cell !== ''))
    .map(([work, cells]) => line([work, ...cells]));
  return [line(['throughput (goal)', ...aims.map(({ title }) => title)]), line(['---', ...aims.map(() => '---')]), ...rows, ''].join('\n');
}

/** µs of processor time that a request may take more than of hand-written controllers, without a database. */
const ENTRANCE = { Express: 60, Fastify: 30 };

/** A table of what a request takes besides its rows. */
export function entranceTable(results: Results): string {
  const rows = Object.entries(ENTRANCE).flatMap(([platform, most]) => {
    const { [`ours · ${platform} · canned`]: ours, [`hand-written · ${platform} · canned`]: theirs } = results['REST single'] ?? {};
    if (!ours || !theirs) return [];
    const more = Math.round(ours.cpu - theirs.cpu);
    return [line([platform, `${most} µs`, more > most ? `**${more} µs**` : `${more} µs`])];
  });
  return [
    line(['processor time above hand-written, REST single, canned rows', 'goal, at most', 'measured']),
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function cellOf({ ours, theirs, least }: Aim, work: string, row: Results[string]): string {
  const [one, other, aim] = [row[ours], row[theirs], least(work)];
  if (!one || !other || aim === undefined) return '';
  const reached = one.ratio / other.ratio;
  const text = reached.toFixed(2);
  return `${reached < aim ? `**${text}**` : text} (${aim})`;
}
