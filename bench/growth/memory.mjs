/*
 * Measures the memory that a page of 10,000 rows takes in the heap and its buffers, divided by the length of the page. The rows exist before. Its
 * parent starts it with a young generation of 1 MiB, so that little garbage which V8 has not collected yet is counted.
 */
import { restPage, rpcPage } from './pages.mjs';

const ROUNDS = 7;
const held = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

function memoryOf(make) {
  for (let round = 0; round < ROUNDS; round++) make();
  const ratios = Array.from({ length: ROUNDS }, () => {
    // V8 frees unreachable buffers after the collection that finds them.
    for (let pass = 0; pass < 3; pass++) globalThis.gc();
    const before = held();
    const { byteLength } = make();
    return { ratio: (held() - before) / byteLength, length: byteLength };
  });
  return ratios.sort((one, other) => one.ratio - other.ratio)[ROUNDS >> 1];
}

process.send({ 'REST document': memoryOf(restPage(10_000)), 'RPC result': memoryOf(rpcPage(10_000)) });
