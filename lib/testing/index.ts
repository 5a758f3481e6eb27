export { assertNoLeak } from './assert-no-leak.js';
export { type Leak, LeakError } from './leak.js';
export type { HiddenField } from './hidden-field.js';
export type { HiddenRow } from './hidden-row.js';
