import { expect } from '@jest/globals';
import type { Decoded } from '../../../lib/wire/decode.js';

export function valueOf(decoded: Decoded): unknown {
  expect(decoded).not.toHaveProperty('fault');
  return 'value' in decoded ? decoded.value : undefined;
}

export function faultOf(decoded: Decoded): string {
  expect(decoded).not.toHaveProperty('value');
  return 'fault' in decoded ? decoded.fault : '';
}
