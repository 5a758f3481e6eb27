import fc from 'fast-check';
import type { OutgoingRequest } from '../../../../support/send-request.js';
import type { HostileRequest } from './hostile-request.js';
import { mutateRequest } from './mutate-request.js';
import { Random } from './random.js';
import { validRequest } from './valid-requests.js';

/** A request of the generator, which its seed reproduces. */
export interface SeededRequest {
  readonly seed: number;
  readonly request: HostileRequest;
}

/** The number of valid requests that are drawn at once, because fast-check is slow to start. */
const BLOCK = 100;

let drawn: { readonly block: number; readonly requests: readonly OutgoingRequest[] } | undefined;

function validRequestOf(seed: number): OutgoingRequest {
  const block = Math.floor(seed / BLOCK);
  if (drawn?.block !== block) drawn = { block, requests: fc.sample(validRequest, { seed: block, numRuns: BLOCK }) };
  const request = drawn.requests[seed % BLOCK];
  if (!request) throw new TypeError(`There is no request of the seed ${seed}.`);
  return request;
}

/** The requests of so many seeds after the first one. */
export function* hostileRequests(first: number, count: number): Generator<SeededRequest> {
  for (let seed = first; seed < first + count; seed += 1) yield { seed, request: mutateRequest(new Random(seed), validRequestOf(seed)) };
}
