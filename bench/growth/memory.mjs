/*
 * What the heap and its buffers hold more while a page of 10,000 rows is made, by the length of the page: the rows are there before. Its
 * parent starts it with a young generation of 1 MiB: garbage that V8 has not looked at yet is not what the page needs.
 */
import { restPage, rpcPage } from './pages.mjs';

const ROUNDS = 7;
const held = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

function memoryOf(make) {
  for (let round = 0; round < ROUNDS; round++) make();
  const ratios = Array.from({ length: ROUNDS }, () => {
    // Buffers that nobody holds any more are given back after the collection that finds them.
    for (let pass = 0; pass < 3; pass++) globalThis.gc();
    const before = held();
    const { byteLength } = make();
    return { ratio: (held() - before) / byteLength, length: byteLength };
  });
  return ratios.sort((one, other) => one.ratio - other.ratio)[ROUNDS >> 1];
}

process.send({ 'REST document': memoryOf(restPage(10_000)), 'RPC result': memoryOf(rpcPage(10_000)) });
