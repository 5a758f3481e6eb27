import { gunzipSync } from 'node:zlib';
import { createDocument, documentParts } from '../../../lib/openapi/create-document.js';
import { cutReferences, forSwaggerUi } from '../../../lib/openapi/for-swagger-ui.js';
import { atOnce, inSlices, type Steps } from '../../../lib/openapi/steps.js';
import { jsonPieces, writeDocument, writeParts } from '../../../lib/openapi/write-document.js';
import { BLOG } from '../model/schema-builder.js';
import { apisOf, manyModels } from './documents.js';

/** The most text that a request must wait for, in characters: a slice, and the step that ends it. */
const MOST = 2 ** 16;

/** Runs work as a request does, and records the length of each step by the tick that it is in. */
async function lengthsByTick<Result>(
  work: Steps<Result>,
): Promise<{ readonly result: Result; readonly ticks: readonly (readonly number[])[] }> {
  const ticks: number[][] = [[]];
  let isDone = false;
  const nextTick = (): void => {
    ticks.push([]);
    if (!isDone) setImmediate(nextTick);
  };
  setImmediate(nextTick);
  const recorded = (function* (): Steps<Result> {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      ticks.at(-1)?.push(step.value);
      yield step.value;
    }
  })();
  const result = await inSlices(recorded);
  isDone = true;
  return { result, ticks };
}

const sum = (lengths: readonly number[]): number => lengths.reduce((all, one) => all + one, 0);

describe('writeDocument', () => {
  it('writes the document that createDocument returns, and the same compressed', async () => {
    const apis = apisOf(BLOG);
    const { bytes, gzip } = await writeDocument(jsonPieces(await inSlices(writeParts(documentParts(apis)))));
    const written: unknown = JSON.parse(bytes.toString());
    expect(written).toEqual(JSON.parse(JSON.stringify(createDocument(apis))));
    expect(gunzipSync(gzip)).toEqual(bytes);
  });

  it('gives the same document the same entity tag, and another one another', async () => {
    const tagOf = async (title: string): Promise<string> => {
      const written = await inSlices(writeParts(documentParts(apisOf(BLOG), { title })));
      return (await writeDocument(jsonPieces(written))).etag;
    };
    const [one, same, other] = await Promise.all([tagOf('One'), tagOf('One'), tagOf('Other')]);
    expect([same === one, other === one]).toEqual([true, false]);
  });

  it('lets the event loop run between the parts of a large document, however it is made', async () => {
    const apis = apisOf(manyModels(60));
    const { result, ticks } = await lengthsByTick(writeParts(documentParts(apis)));
    const cut = await lengthsByTick(cutReferences(result));
    for (const lengths of [ticks, cut.ticks]) {
      expect(lengths.filter((steps) => steps.length > 0).length).toBeGreaterThan(10);
      // A tick ends with the step that fills its slice.
      for (const steps of lengths) expect(sum(steps.slice(0, -1))).toBeLessThan(MOST);
    }
  });
});

describe('cutReferences', () => {
  it('makes the same copy of texts that forSwaggerUi makes of a document', () => {
    const written = atOnce(writeParts(documentParts(apisOf(BLOG))));
    const shown: unknown = JSON.parse([...jsonPieces(atOnce(cutReferences(written)))].join(''));
    expect(shown).toEqual(JSON.parse(JSON.stringify(forSwaggerUi(createDocument(apisOf(BLOG))))));
  });

  it('leaves descriptions as they are, beside a reference and of one', () => {
    const reference = { $ref: '#/components/schemas/Node' };
    const Node = {
      type: 'object',
      description: 'Not a reference: "$ref":"#/components/schemas/Node"',
      properties: {
        alone: reference,
        documented: { ...reference, description: 'Its own.' },
        after: { description: 'Before.', ...reference },
      },
    };
    const document = { paths: { '/nodes': { get: { schema: reference } } }, components: { schemas: { Node, Unused: {} } } };
    const { paths, components } = forSwaggerUi(document as never) as unknown as typeof document;
    expect(paths).toEqual(document.paths);
    expect(components.schemas).toEqual({
      Node: {
        ...Node,
        properties: {
          alone: { type: 'object', title: 'Node', description: expect.stringContaining('Nested') },
          documented: { type: 'object', title: 'Node', description: 'Its own.' },
          after: { type: 'object', title: 'Node', description: 'Before.' },
        },
      },
    });
  });
});
