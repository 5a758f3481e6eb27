import type { StoredModel } from '../model/storage/storage.js';
import type { KeyedWrites } from '../model/surface/surface.js';
import type { CallerOf } from './idempotency-option.js';

/** The option `idempotency`, checked and with its defaults. */
export interface IdempotencySettings {
  readonly caller: CallerOf;
  /** Of the records. */
  readonly model: StoredModel;
  readonly waitMs: number;
  readonly keyed: KeyedWrites;
}
