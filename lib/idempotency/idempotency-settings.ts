import type { KeyedWrites } from '../model/surface/surface.js';
import type { CallerOf } from './idempotency-option.js';
import type { KeyRecords } from './key-records.js';

/** The option `idempotency`, checked and with its defaults. */
export interface IdempotencySettings {
  readonly caller: CallerOf;
  readonly records: KeyRecords;
  readonly waitMs: number;
  readonly keyed: KeyedWrites;
}
