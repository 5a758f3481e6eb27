import type { Contender } from './contenders.js';

/** The reply of a contender's process to each message. */
export interface Usage {
  /** Microseconds of this process so far. */
  readonly cpu: number;
}

/** The process of one contender: serves until its parent ends it. */
const contender = JSON.parse(process.argv[2] ?? '') as Contender;
const { start } = (await import(`./apps/${contender.app}.js`)) as { readonly start: (contender: Contender) => Promise<number> };
const port = await start(contender);

process.on('disconnect', () => process.exit());
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system } satisfies Usage);
});
process.send?.(port);
